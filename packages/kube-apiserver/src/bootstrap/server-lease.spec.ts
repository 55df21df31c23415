import { expect } from 'chai';
import { apiServerID } from '@kubechain/apiserver/options';
import { isExpired, renewed, serverLease } from './server-lease.ts';
import type { ServerIdentity } from './server-lease.ts';

const nowMs = Date.parse('2026-01-02T03:04:05.678Z');
const identity: ServerIdentity = { hostname: 'node-1', holder: 'apiserver-x_1', peerAddress: undefined };
const lease = serverLease(identity, nowMs);

describe('the lease of a server', () => {
  it('is named after the host, and says who holds it until when', () => {
    expect(lease).to.deep.equal({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: apiServerID('node-1'),
        namespace: 'kube-system',
        labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': 'node-1' },
      },
      spec: { holderIdentity: 'apiserver-x_1', leaseDurationSeconds: 3600, renewTime: '2026-01-02T03:04:05.678000Z' },
    });
  });
  it('keeps its holder when it is renewed', () => {
    expect(renewed(lease, identity, nowMs + 10_000).spec).to.deep.equal({
      holderIdentity: 'apiserver-x_1',
      leaseDurationSeconds: 3600,
      renewTime: '2026-01-02T03:04:15.678000Z',
    });
  });
  it('says where peers reach the server, from the first renewal on that knows', () => {
    const annotations = { other: 'one' };
    const reachable: ServerIdentity = { ...identity, peerAddress: '10.0.0.1:6443' };
    const renewedLease = renewed({ ...lease, metadata: { ...lease.metadata, annotations } }, reachable, nowMs);
    expect(renewedLease.metadata?.annotations).to.deep.equal({
      other: 'one',
      'kubernetes.io/peer-advertise-address': '10.0.0.1:6443',
    });
  });
  it('expires when it is not, and when it says no times', () => {
    expect([
      isExpired(lease, nowMs + 3_600_000),
      isExpired(lease, nowMs + 3_600_001),
      isExpired({ ...lease, spec: {} }, nowMs),
    ]).to.deep.equal([false, true, true]);
  });
});
