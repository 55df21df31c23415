import { hostname } from 'node:os';
import { messageOf } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { apiServerID, featureGatesOf, unusableFlag } from '@kubechain/apiserver/options';
import { EndpointLeases } from '@kubechain/apiserver/resources';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { advertisedAddress } from './advertised-address.ts';
import type { BootstrapOptions } from './bootstrap-options.ts';
import { leaveInTime } from './leave-in-time.ts';
import { repeat } from './repeat.ts';

const log = new Logger('peers');

/** How often a server says where its peers reach it, and how long that is believed (pkg/controlplane, 1.36). */
const renewMs = 10_000;
const ttlSeconds = 15;

/** Where other API servers hand requests to that they cannot answer. */
export interface PeerEndpoint {
  readonly ip: string;
  readonly port: number;
}

/**
 * What --peer-advertise-ip and --peer-advertise-port say, else where clients reach the chain; undefined where servers
 * hand nothing on. @throws OptionsError
 */
export function peerEndpointOf(flags: BootstrapOptions['flags']): PeerEndpoint | undefined {
  const ip = flags.kubeApiserver['peer-advertise-ip'];
  const port = flags.kubeApiserver['peer-advertise-port'];
  if (!featureGatesOf(flags).enabled('UnknownVersionInteroperabilityProxy')) {
    for (const name of ['peer-advertise-ip', 'peer-advertise-port'] as const)
      if (flags.kubeApiserver[name] !== '')
        throw unusableFlag(name, 'requires UnknownVersionInteroperabilityProxy feature to be turned on');
    return undefined;
  }
  if (ip !== '' && port !== '') return { ip, port: Number(port) };
  const { address, port: advertised } = advertisedAddress(flags);
  return { ip: address, port: advertised };
}

/** Keeps the server in the list of those that take requests of others, while it runs. */
export function addPeerEndpointHook(
  server: GenericAPIServer,
  { direct, endpoint }: { readonly direct: RESTOptionsGetter; readonly endpoint: PeerEndpoint },
): void {
  const { clock, randomness, release } = server.config;
  // Gate UnknownVersionInteroperabilityProxy, on since 1.36.
  if (!release.since('1.36')) return;
  const name = 'peer-endpoint-reconciler-controller';
  // In a run that is to be repeated nothing is written that depends on how long it takes, and there is nobody else.
  if (randomness.repeatable !== undefined) {
    server.addPostStartHook(name, () => undefined);
    return;
  }
  const leases = new EndpointLeases(direct, { list: 'peerserverleases', ttlSeconds });
  const own = { ...endpoint, serverID: apiServerID(hostname()) };
  let stopped = false;
  let work: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    if (stopped) return;
    work = leases.renew(own);
    await work;
  };
  server.addPostStartHook(name, ({ signal }) => repeat(renew, { clock, intervalMs: renewMs, signal, onError: warn }));
  server.addPreShutdownHook(name, async () => {
    stopped = true;
    const removal = work
      .catch(() => {
        /* told where it failed */
      })
      .then(() => leases.remove(own))
      .catch(warn);
    await leaveInTime(clock, removal);
    await leases.close();
  });
}

function warn(error: unknown): void {
  log.warning('where peers reach this server cannot be kept', { err: messageOf(error) });
}
