import type { Scenario } from './recorder.ts';
import { bytes } from './recorder.ts';

/** Leases, and what a server with authentication switched off answers. */
export const leaseScenarios: readonly Scenario[] = [
  {
    name: 'grant, attach, revoke',
    async run(r) {
      await r.call('Lease.LeaseGrant', { ID: 5, TTL: 1 });
      await r.call('Lease.LeaseGrant', { ID: 6, TTL: 500 });
      await r.call('Lease.LeaseGrant', { ID: 6, TTL: 100 });
      await r.call('Lease.LeaseGrant', { ID: 8, TTL: -3 });
      await r.call('Lease.LeaseGrant', { ID: 7, TTL: 9_000_000_001 });
      await r.put('a', '1', { lease: 6 });
      await r.put('b', '1', { lease: 6 });
      await r.put('c', '1', { lease: 6 });
      await r.put('c', '2');
      await r.call('Lease.LeaseTimeToLive', { ID: 99, keys: true });
      await r.call('Lease.LeaseRevoke', { ID: 99 });
      const watch = r.stream('Watch.Watch');
      watch.send({ create_request: { key: bytes('\0'), range_end: bytes('\0') } });
      await watch.take(1);
      await r.call('Lease.LeaseRevoke', { ID: 6 });
      await watch.takeEvents(2);
      await r.range('\0', { range_end: bytes('\0') });
      await r.call('Lease.LeaseRevoke', { ID: 6 });
    },
  },
  {
    name: 'keep-alive',
    async run(r) {
      await r.call('Lease.LeaseGrant', { ID: 5, TTL: 300 });
      const stream = r.stream('Lease.LeaseKeepAlive');
      stream.send({ ID: 5 });
      await stream.take(1);
      stream.send({ ID: 6 });
      await stream.take(1);
      stream.end();
      await stream.take(1);
    },
  },
  {
    name: 'authentication switched off',
    async run(r) {
      await r.call('Auth.Authenticate', { name: 'root', password: 'x' });
      await r.call('Auth.AuthEnable', {});
      await r.call('Auth.AuthDisable', {});
    },
  },
];
