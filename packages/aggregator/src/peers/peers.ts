import { hostname } from 'node:os';
import type { GroupVersion, TimerClock } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { apiServerID, isServerLease, serverLeaseNamespace } from '@kubechain/apiserver/options';
import { joinHostPort } from '@kubechain/apiserver/proxies';
import { EndpointLeases, ObjectInformer } from '@kubechain/apiserver/resources';
import type { ResourceStorage } from '@kubechain/apiserver/resources';
import type { APIGroupDiscovery, DiscoveryManager } from '@kubechain/apiserver/servers';
import type { ObjectRecord, RESTOptionsGetter } from '@kubechain/shared-storage';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { APIService } from '../apiservice/api-service.ts';
import type { CRDVersions } from '../autoregister/crd-versions.ts';
import { RemoteService } from '../remote/remote-service.ts';
import type { RemoteEnvironment } from '../remote/remote-service.ts';
import { ExcludedVersions } from './excluded-versions.ts';
import { mergeDiscovery } from './merge-discovery.ts';
import { PeerDiscovery } from './peer-discovery.ts';
import { PeerMetrics, type RequestedResource } from './peer-metrics.ts';
import { PeerProxy } from './peer-proxy.ts';
import { ServedHere } from './served-here.ts';

export interface PeersOptions {
  /** Of --peer-ca-file, PEM. */
  readonly authorities: string;
  /** How they are reached. */
  readonly environment: Pick<RemoteEnvironment, 'clientCertificate' | 'dial' | 'faults'>;
  readonly leases: ResourceStorage;
  /** Storage straight on etcd. */
  readonly direct: RESTOptionsGetter;
  /** This server's own group, and what the chain behind it serves. */
  readonly own: DiscoveryManager;
  readonly delegated: DiscoveryManager;
  readonly services: ObjectInformer<APIService>;
  readonly crds: Pick<CRDVersions, 'groupVersions' | 'onChange'>;
  readonly clock: TimerClock;
  readonly random: () => number;
  readonly metrics: MetricRegistry;
  /** What peers serve has changed. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The other API servers over the same store: who they are, what they serve, and the way to them for what this chain
 * does not serve (UnknownVersionInteroperabilityProxy; apiserver/pkg/util/peerproxy, 1.36). Its view of what is served
 * here is never old, as discovery is pushed.
 */
export class Peers {
  readonly #options: PeersOptions;
  readonly #stop = new AbortController();
  readonly #endpoints: EndpointLeases;
  readonly #identities: ObjectInformer<string>;
  readonly #discovery: PeerDiscovery;
  readonly #excluded: ExcludedVersions;
  readonly #here: ServedHere;
  /** Hands requests on. */
  readonly proxy: PeerProxy;
  #remote: RemoteService;

  constructor(options: PeersOptions) {
    const { clock, delegated, direct, leases, onChange, own, random } = options;
    const { signal } = this.#stop;
    this.#options = options;
    this.#remote = this.#connect();
    this.#here = new ServedHere([own, delegated]);
    // Only read here.
    this.#endpoints = new EndpointLeases(direct, { list: 'peerserverleases', ttlSeconds: 0 });
    this.#excluded = new ExcludedVersions(() => this.#ofEverybody(), { onChange, clock, signal });
    const metrics = new PeerMetrics(options.metrics);
    const addressesOf = async (serverIDs: readonly string[]): Promise<readonly string[]> => {
      const known = await this.#endpoints.list();
      return known.flatMap(({ ip, port, serverID }) =>
        serverID !== undefined && port !== undefined && serverIDs.includes(serverID) ? [joinHostPort(ip, port)] : [],
      );
    };
    this.#discovery = new PeerDiscovery({
      peers: () => this.#remote,
      addressOf: async (serverID) => (await addressesOf([serverID]))[0],
      clock,
      metrics,
      onChange,
      signal,
    });
    this.#identities = new ObjectInformer({
      storage: leases.storage,
      keyRoot: `${leases.keyRoot}/${serverLeaseNamespace}`,
      transform: holderOf,
      onError: options.onError,
      clock,
      random,
    });
    this.#identities.onChange((change) => {
      if (change.kind === 'delete') this.#discovery.lost(change.key);
      else if (change.value !== change.previous) this.#discovery.found(change.key);
    });
    this.proxy = new PeerProxy({ peers: () => this.#remote, serving: this.#serving, addressesOf, metrics, random });
  }

  /** Begins to follow which API servers there are, and what each of them serves. */
  start(): void {
    const { crds, services } = this.#options;
    const update = (): void => {
      this.#excluded.update();
    };
    crds.onChange(update);
    services.onChange(update);
    update();
    this.#identities.start();
  }

  waitForSync(signal: AbortSignal): Promise<void> {
    return this.#identities.waitForSync(signal);
  }

  /** What is served here and what peers serve, as one. */
  readonly merged = (own: readonly APIGroupDiscovery[]): readonly APIGroupDiscovery[] => {
    const servers = new Map<string, readonly APIGroupDiscovery[]>([[apiServerID(hostname()), own]]);
    for (const [serverID, { groups }] of this.#discovery.peers())
      servers.set(
        serverID,
        // The core group is not under /apis.
        groups.flatMap((group) => this.#withoutExcluded(group)),
      );
    return servers.size === 1 ? own : mergeDiscovery(servers);
  };

  /** Makes connections anew, with the proxy client certificate as it is now. */
  reloadClientCertificate(): void {
    const before = this.#remote;
    this.#remote = this.#connect();
    before.close();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#identities.stop();
    this.proxy.close();
    this.#remote.close();
    await this.#endpoints.close();
  }

  /** The kubernetes service is who every API server can prove to be. */
  #connect(): RemoteService {
    const { authorities, environment } = this.#options;
    return new RemoteService(
      {
        metadata: { name: 'peers' },
        spec: {
          caBundle: Buffer.from(authorities).toString('base64'),
          service: { namespace: 'default', name: 'kubernetes', port: 443 },
          groupPriorityMinimum: 0,
          versionPriority: 0,
        },
      },
      { ...environment, resolve: ({ name, port }) => joinHostPort(name, port) },
    );
  }

  readonly #serving = (requested: RequestedResource): readonly string[] => {
    if (!this.#identities.hasSynced || !this.#here.isKnown || this.#here.has(requested)) return [];
    const { group, resource, version } = requested;
    if (this.#excluded.has(`${group}/${version}`)) return [];
    const serverIDs: string[] = [];
    for (const [serverID, { resources }] of this.#discovery.peers())
      if (resources.has(`${group}/${version}/${resource}`)) serverIDs.push(serverID);
    return serverIDs;
  };

  #withoutExcluded(group: APIGroupDiscovery): readonly APIGroupDiscovery[] {
    const name = group.metadata.name ?? '';
    const versions = group.versions.filter(({ version }) => !this.#excluded.has(`${name}/${version}`));
    return versions.length === 0 ? [] : [{ ...group, versions }];
  }

  /** Group versions that come out of the store, which all servers have in common. */
  *#ofEverybody(): Generator<string> {
    const nameOf = ({ group, version }: GroupVersion): string => `${group}/${version}`;
    for (const groupVersion of this.#options.crds.groupVersions()) yield nameOf(groupVersion);
    for (const { spec } of this.#options.services.values())
      if (spec.service !== undefined) yield nameOf({ group: spec.group ?? '', version: spec.version ?? '' });
  }
}

/** Who holds the lease of another API server; undefined for every other lease. */
function holderOf(record: ObjectRecord): string | undefined {
  const lease = record.object() as Lease;
  if (!isServerLease(lease) || lease.metadata?.name === apiServerID(hostname())) return undefined;
  return lease.spec?.holderIdentity;
}
