import { formatGroupResource, trimOf } from '@kubechain/apimachinery';
import type { GroupResource, TimerClock } from '@kubechain/apimachinery';
import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import type { EtcdTlsSource, OpenEtcdSocket } from '../etcd-client/endpoint-options.ts';
import { messageOf, systemClock } from '@kubechain/apimachinery';
import { Compactor } from '../etcd3/compactor.ts';
import { LeaseBucket } from '../etcd3/lease-bucket.ts';
import { toStorageError } from '../etcd3/storage-errors.ts';
import { StorageError } from '../storage/errors.ts';
import type { ValueTransformer } from '../value/transformer.ts';

/** As long as a debugger may hold a store. */
const patienceMs = 3_600_000;

/** Where storages are, and how objects are written there. */
export interface StorageFactoryOptions {
  /** `--etcd-servers` */
  readonly etcdServers: readonly string[];
  /** `--etcd-prefix`; default `/registry`. */
  readonly etcdPrefix?: string;
  /** `--etcd-cafile`, `--etcd-certfile`, `--etcd-keyfile`, as PEM. */
  readonly etcdTls?: EtcdTlsSource | undefined;
  /** Makes connections to ports of etcd, for instance through a proxy. Default: directly. */
  readonly openSocket?: OpenEtcdSocket | undefined;
  /** `--etcd-servers-overrides`: servers of single resources. */
  readonly serverOverrides?: readonly ServerOverride[];
  /**
   * Key prefixes that are not the resource's name, by `resource` or `resource.group`, e.g. `services` →
   * `services/specs`.
   */
  readonly resourcePrefixes?: ReadonlyMap<string, string>;
  /** Encryption at rest, by resource. */
  readonly transformerFor?: ((resource: GroupResource) => ValueTransformer | undefined) | undefined;
  /** Feature gate AllowUnsafeMalformedObjectDeletion. */
  readonly unsafeDeletion?: boolean;
  /** Of leases and compactions. Default: the machine's. */
  readonly clock?: TimerClock;
  /** Old revisions are removed from every cluster in use. Absent: none are. */
  readonly compaction?: {
    /** `--etcd-compaction-interval`; 0 = never. */ readonly intervalMs: number;
    readonly onError: (error: unknown) => void;
  };
  /** Told of what the clients of all clusters do. */
  readonly metrics?: { readonly leaseReplaced: (objects: number) => void; readonly retried: (label: string) => void };
  /** `--lease-reuse-duration-seconds` */
  readonly leaseReuseDurationSeconds?: number;
  /** A debugger may hold etcd: answers are waited for, for an hour. Default: false. */
  readonly patient?: boolean;
  /** What each client is used through; default: as it is. */
  readonly wrapClient?: (client: EtcdClient) => EtcdClient;
  /** Makes a client for a list of servers that are not reached over gRPC; undefined for those that are. */
  readonly createClient?: (servers: readonly string[], tls: EtcdTlsSource | undefined) => EtcdClient | undefined;
}

export interface ServerOverride {
  readonly resource: GroupResource;
  readonly servers: readonly string[];
}

/** Where and how one resource is stored. */
export interface StorageConfig {
  readonly client: EtcdClient;
  readonly leases: LeaseBucket;
  /** Below --etcd-prefix, e.g. `/pods`. */
  readonly resourcePrefix: string;
  /** Full key root, e.g. `/registry/pods`. */
  readonly keyRoot: string;
  readonly transformer: ValueTransformer | undefined;
  readonly unsafeDeletion: boolean;
  /** Highest revision of the cluster that is known to be compacted, by whomever; 0 = none. */
  readonly compactedRevision: () => number;
}

interface Backend {
  readonly client: EtcdClient;
  readonly leases: LeaseBucket;
  readonly compactor: Compactor | undefined;
}

/**
 * Knows the etcd cluster, key prefix and encryption of each resource (apiserver/pkg/server/storage.StorageFactory). One
 * client per list of servers.
 */
export class StorageFactory {
  readonly #options: StorageFactoryOptions;
  readonly #prefix: string;
  readonly #backends = new Map<string, Backend>();
  readonly #overrides = new Map<string, readonly string[]>();

  constructor(options: StorageFactoryOptions) {
    this.#options = options;
    this.#prefix = normalizePrefix(options.etcdPrefix ?? '/registry');
    for (const override of options.serverOverrides ?? [])
      this.#overrides.set(formatGroupResource(override.resource), override.servers);
  }

  /**
   * Where `resource` is stored. @param resourcePrefix the caller's own prefix (custom resources), else the table's or
   * the resource's name.
   */
  configFor(resource: GroupResource, resourcePrefix?: string): StorageConfig {
    const name = formatGroupResource(resource);
    const configured = resourcePrefix ?? this.#options.resourcePrefixes?.get(name);
    const prefix = `/${trimOf(configured ?? resource.resource.toLowerCase(), '/')}`;
    const { client, compactor, leases } = this.#backend(this.#overrides.get(name) ?? this.#options.etcdServers);
    return {
      client,
      leases,
      compactedRevision: () => compactor?.compactedRevision ?? 0,
      resourcePrefix: prefix,
      keyRoot: this.#prefix + prefix,
      transformer: this.#options.transformerFor?.(resource),
      unsafeDeletion: this.#options.unsafeDeletion ?? false,
    };
  }

  /** The client of `--etcd-servers`. */
  get client(): EtcdClient {
    return this.#backend(this.#options.etcdServers).client;
  }

  /** The clients of --etcd-servers-overrides, one for each set of servers in whatever order. */
  overrideClients(): EtcdClient[] {
    const clients = new Map<string, EtcdClient>();
    for (const servers of this.#overrides.values()) {
      const set = servers.toSorted().join(';');
      if (!clients.has(set)) clients.set(set, this.#backend(servers).client);
    }
    return [...clients.values()];
  }

  /** What health checks read; etcd's access rules may have to allow it. */
  get healthKey(): string {
    return `${this.#prefix}/health`;
  }

  /** All clients in use, by their servers: each cluster is compacted and health-checked on its own. */
  clients(): ReadonlyMap<string, EtcdClient> {
    return new Map([...this.#backends].map(([servers, backend]) => [servers, backend.client]));
  }

  /** All etcd servers, those of overrides last, each once. */
  servers(): readonly string[] {
    return [...new Set([...this.#options.etcdServers, ...[...this.#overrides.values()].flat()])];
  }

  /**
   * Reads from one etcd server, over a connection of its own.
   * @throws EtcdError
   */
  async checkServer(server: string, timeoutMs: number): Promise<void> {
    const client = this.#createClient([server]);
    try {
      await client.range({ key: this.healthKey }, { timeoutMs });
    } finally {
      await client.close();
    }
  }

  /**
   * Reads from every cluster in use (and that of `--etcd-servers`): the check at start-up, and of /readyz and /healthz.
   * The key is upstream's (storagebackend/factory/etcd3.go), which etcd's access rules may have to allow.
   *
   * @throws StorageError `Unreachable` or `Timeout`: one line that names the servers
   */
  async checkHealth(timeoutMs = 2_000): Promise<void> {
    this.#backend(this.#options.etcdServers);
    await Promise.all(
      [...this.#backends].map(async ([servers, { client }]) => {
        try {
          await client.range({ key: `${this.#prefix}/health` }, { timeoutMs });
        } catch (error) {
          const failure = toStorageError(error, `${this.#prefix}/health`);
          throw new StorageError(
            failure.code === 'Timeout' ? 'Timeout' : 'Unreachable',
            `etcd (${servers}) is not available: ${messageOf(error)}`,
            { cause: error },
          );
        }
      }),
    );
  }

  /** Closes the clients; storages must be closed before. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#backends.values()].map(async ({ client, compactor }) => {
        await compactor?.stop();
        await client.close();
      }),
    );
  }

  #createClient(servers: readonly string[]): EtcdClient {
    const { createClient, etcdTls, metrics, openSocket, patient, wrapClient } = this.#options;
    const waits = patient === true ? { requestTimeoutMs: patienceMs, keepaliveTimeoutMs: patienceMs } : {};
    const client =
      createClient?.(servers, etcdTls) ??
      createEtcdClient({ endpoints: servers, tls: etcdTls, openSocket, onRetry: metrics?.retried, ...waits });
    return wrapClient === undefined ? client : wrapClient(client);
  }

  #backend(servers: readonly string[]): Backend {
    const name = servers.join(',');
    let backend = this.#backends.get(name);
    if (backend === undefined) {
      const { clock = systemClock, metrics } = this.#options;
      const client = this.#createClient(servers);
      const reuseDurationSeconds = this.#options.leaseReuseDurationSeconds;
      const { compaction } = this.#options;
      const compactor = compaction === undefined ? undefined : new Compactor(client, { clock, ...compaction });
      compactor?.start();
      backend = {
        client,
        compactor,
        leases: new LeaseBucket(client, {
          onReplaced: metrics?.leaseReplaced,
          now: () => clock.now(),
          ...(reuseDurationSeconds === undefined ? {} : { reuseDurationSeconds }),
        }),
      };
      this.#backends.set(name, backend);
    }
    return backend;
  }
}

/** One slash in front, none behind: `registry/` → `/registry`; '' and '/' → ''. */
function normalizePrefix(prefix: string): string {
  const trimmed = trimOf(prefix, '/');
  return trimmed === '' ? '' : `/${trimmed}`;
}
