import { hostname } from 'node:os';
import { joinHostPort } from '@kubechain/apiserver/proxies';
import type { Store } from '@kubechain/apiserver/resources';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import type { peerEndpointOf } from './peer-endpoint.ts';
import { ServerLeaseKeeper } from './server-lease-keeper.ts';

/** What a server's identity is told in (feature gate APIServerIdentity). */
export interface IdentityHooksOptions {
  /** Of leases. */
  readonly leases: Store;
  /** Where other servers of the cluster reach this one; undefined: not at all. */
  readonly peerEndpoint: ReturnType<typeof peerEndpointOf>;
}

/** Hooks that keep this server's lease, and remove leases of servers that are gone (pkg/controlplane, 1.36). */
export function addIdentityHooks(server: GenericAPIServer, { leases, peerEndpoint }: IdentityHooksOptions): void {
  const { clock, randomness } = server.config;
  const keeper = new ServerLeaseKeeper({
    store: leases,
    hostname: hostname(),
    peerAddress: peerEndpoint === undefined ? undefined : joinHostPort(peerEndpoint.ip, peerEndpoint.port),
    clock,
    newUID: randomness.newUID,
  });
  // In a run that is to be repeated nothing is written that depends on how long it takes.
  const renewed = randomness.repeatable === undefined;
  server.addPostStartHook('start-kube-apiserver-identity-lease-controller', ({ signal }) =>
    renewed ? keeper.start(signal) : keeper.take(signal),
  );
  server.addPreShutdownHook('stop-kube-apiserver-identity-lease-controller', () => keeper.stop());
  server.addPostStartHook('start-kube-apiserver-identity-lease-garbage-collector', ({ signal }) =>
    renewed ? keeper.startCollecting(signal) : undefined,
  );
}
