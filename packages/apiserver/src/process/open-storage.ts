import { Backoff, builtinRelease, messageOf } from '@kubechain/apimachinery';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { GroupResource, Release, TimerClock } from '@kubechain/apimachinery';
import {
  CacherSet,
  ObjectCounts,
  StorageFactory,
  StorageFlagError,
  StoreMetricSet,
  createRESTOptionsGetter,
  parseEtcdServersOverrides,
  parseWatchCacheSizes,
  registerStorageSizes,
} from '@kubechain/shared-storage/factory';
import { InformerMetrics, MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { isEtcdError, type EtcdClient, type EtcdTlsSource } from '@kubechain/shared-storage/etcd';
import type { StorageFactoryOptions } from '@kubechain/shared-storage/factory';
import { checkTLSMaterial } from '../certificates/check-tls-material.ts';
import { FileContent } from '../files/file-content.ts';
import type { HealthCheck } from '../health/health-check.ts';
import { Logger } from '../logging/logger.ts';
import type { etcdFlags } from '../options/etcd-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { FeatureGates } from '../options/feature-gates.ts';
import { OptionsError, unusableFlag } from '../options/options-error.ts';
import { Assembly } from './assembly.ts';
import { consistencyOptions } from './consistency-options.ts';
import { openEncryption } from './open-encryption.ts';
import type { OpenedEncryption } from './open-encryption.ts';
import { builtinStoragePrefixes } from '../registry/generic/builtin-resource-spec.ts';

const log = new Logger('storage');

/** The storage of one process. */
export interface OpenedStorage {
  readonly factory: StorageFactory;
  /** As --watch-cache says: for what the process serves. */
  readonly restOptions: RESTOptionsGetter;
  /** Straight from etcd: for what the process only follows (roles, namespaces of another process). */
  readonly directOptions: RESTOptionsGetter;
  readonly cachers: CacherSet;
  readonly encryption: OpenedEncryption;
  /** What is stored of the resources that the process serves; undefined when --etcd-count-metric-poll-period is 0. */
  readonly counts: ObjectCounts | undefined;
  /** `etcd`, and `etcd-override-0` and so on for the servers of --etcd-servers-overrides. */
  readonly healthChecks: readonly HealthCheck[];
  /** `etcd-readiness`, `etcd-override-readiness-0` and so on. */
  readonly readinessChecks: readonly HealthCheck[];
  close(): Promise<void>;
}

export interface OpenStorageOptions {
  readonly clock: TimerClock;
  /** From 0 to below 1, for jitter. */
  readonly random: () => number;
  /** As in RESTOptions, of all resources; default false. */
  readonly meetsFaults?: boolean;
  readonly signal: AbortSignal;
  /** How long etcd may take to answer for the first time; it may be starting beside this process. Default 15,000. */
  readonly connectTimeoutMs?: number;
  /** Whose resources are stored. */
  readonly release?: Release | undefined;
  /** `--feature-gates`; default: each as it is by default. */
  readonly featureGates?: FeatureGates;
  /** A debugger may hold etcd: it is waited for. Default: false. */
  readonly patient?: boolean;
  /** Where the metrics are kept; default: nobody looks. */
  readonly metrics?: MetricRegistry;
  /** Makes a client for a list of servers; default: over gRPC. */
  readonly createClient?: StorageFactoryOptions['createClient'];
  readonly wrapClient?: StorageFactoryOptions['wrapClient'];
  /** Makes connections to ports of etcd. Default: directly. */
  readonly openSocket?: StorageFactoryOptions['openSocket'];
  /** Time between two looks at --encryption-provider-config; default upstream's minute. */
  readonly encryptionPollMs?: number;
}

/**
 * Connects to etcd and makes what storages are created with. Resolves when etcd has answered.
 * @throws OptionsError one line that names the flag: unreadable certificates, bad overrides, etcd that does not answer
 */
export async function openStorage(
  flags: FlagValues<typeof etcdFlags>,
  options: OpenStorageOptions,
): Promise<OpenedStorage> {
  if (flags['etcd-servers'].length === 0) throw new OptionsError('MissingValue', '--etcd-servers must be specified');
  const registry = options.metrics ?? new MetricRegistry();
  const connection = { lists: readLists(flags), registry, storeMetrics: new StoreMetricSet(registry) };
  const assembly = new Assembly();
  try {
    const connected = await connect(assembly, flags, { ...options, ...connection });
    return {
      ...storageOf(flags, { ...options, ...connection, ...connected }),
      close: () => assembly.close(),
    };
  } catch (error) {
    await assembly.close();
    throw error;
  }
}

/** What all storages of a process share, before and after they are connected. */
interface Shared {
  readonly lists: ReturnType<typeof readLists>;
  readonly registry: MetricRegistry;
  readonly storeMetrics: StoreMetricSet;
}
interface Connected {
  readonly encryption: OpenedEncryption;
  readonly factory: StorageFactory;
}

async function connect(
  assembly: Assembly,
  flags: FlagValues<typeof etcdFlags>,
  options: OpenStorageOptions & Shared,
): Promise<Connected> {
  const { clock, createClient, featureGates = new FeatureGates(), wrapClient } = options;
  const encryption = await assembly.open(
    'encryption',
    () =>
      openEncryption(flags, {
        clock,
        registry: options.registry,
        allowsKMSv1: featureGates.enabled('KMSv1'),
        reloadPollMs: options.encryptionPollMs,
      }),
    (opened) => opened.close(),
  );
  const factory = assembly.open(
    'etcd clients',
    () =>
      new StorageFactory({
        clock,
        metrics: options.storeMetrics,
        etcdServers: flags['etcd-servers'],
        etcdPrefix: flags['etcd-prefix'],
        etcdTls: etcdTls(flags),
        openSocket: options.openSocket,
        serverOverrides: options.lists.overrides,
        resourcePrefixes: builtinStoragePrefixes(options.release ?? builtinRelease),
        transformerFor: encryption.transformerFor,
        unsafeDeletion: featureGates.enabled('AllowUnsafeMalformedObjectDeletion'),
        patient: options.patient ?? false,
        ...(createClient === undefined ? {} : { createClient }),
        ...(wrapClient === undefined ? {} : { wrapClient }),
        leaseReuseDurationSeconds: flags['lease-reuse-duration-seconds'],
        compaction: {
          intervalMs: flags['etcd-compaction-interval'],
          onError: (error) => {
            log.warning('compaction failed', { error: messageOf(error) });
          },
        },
      }),
    (opened) => opened.close(),
  );
  await firstAnswer(factory, flags['etcd-servers'], options);
  return { encryption, factory };
}

function storageOf(
  flags: FlagValues<typeof etcdFlags>,
  {
    clock,
    encryption,
    factory,
    featureGates,
    lists,
    meetsFaults,
    random,
    registry,
    storeMetrics,
  }: OpenStorageOptions & Shared & Connected,
): Omit<OpenedStorage, 'close'> {
  const cachers = new CacherSet({
    metrics: registry,
    clock,
    random,
    ...consistencyOptions(featureGates ?? new FeatureGates(), process.env),
    onError: (error, context) => {
      log.warning('watch cache', { error: messageOf(error), ...context });
    },
  });
  registerStorageSizes(registry, () => factory.clients().values());
  const countPollMs = flags['etcd-count-metric-poll-period'];
  const counts =
    countPollMs === 0 ? undefined : new ObjectCounts(registry, { maxAgeMs: countPollMs, now: () => clock.now() });
  const shared = {
    storageFactory: factory,
    watchCacheSizes: lists.cacheSizes,
    metricsFor: (resource: GroupResource) => storeMetrics.forResource(resource),
    enableGarbageCollection: flags['enable-garbage-collector'],
    deleteCollectionWorkers: flags['delete-collection-workers'],
    informerEnds: new InformerMetrics(registry),
    meetsFaults,
  };
  const served = { ...shared, counts };
  return {
    factory,
    cachers,
    counts,
    directOptions: createRESTOptionsGetter(shared),
    encryption,
    restOptions: flags['watch-cache']
      ? createRESTOptionsGetter({ ...served, cacheStorage: cachers.cacheStorage })
      : createRESTOptionsGetter(served),
    healthChecks: etcdChecks(factory, {
      name: 'etcd',
      override: 'etcd-override',
      group: 'etcd',
      timeoutMs: flags['etcd-healthcheck-timeout'],
    }),
    readinessChecks: etcdChecks(factory, {
      name: 'etcd-readiness',
      override: 'etcd-override-readiness',
      group: 'etcd-readiness',
      timeoutMs: flags['etcd-readycheck-timeout'],
    }),
  };
}

function readLists(flags: FlagValues<typeof etcdFlags>): {
  readonly overrides: ReturnType<typeof parseEtcdServersOverrides>;
  readonly cacheSizes: ReturnType<typeof parseWatchCacheSizes>;
} {
  try {
    return {
      overrides: parseEtcdServersOverrides(flags['etcd-servers-overrides']),
      cacheSizes: parseWatchCacheSizes(flags['watch-cache-sizes']),
    };
  } catch (error) {
    if (error instanceof StorageFlagError) throw new OptionsError('InvalidValue', error.message, { cause: error });
    throw error;
  }
}

/** Read again for new connections when the files have changed, as etcd's own client does. */
function etcdTls(flags: FlagValues<typeof etcdFlags>): EtcdTlsSource | undefined {
  const read = (flag: 'etcd-cafile' | 'etcd-certfile' | 'etcd-keyfile'): Buffer | undefined => {
    if (flags[flag] === '') return undefined;
    try {
      return readFileSync(flags[flag]);
    } catch (error) {
      throw unusableFlag(flag, messageOf(error), error);
    }
  };
  const paths = [flags['etcd-cafile'], flags['etcd-certfile'], flags['etcd-keyfile']].filter((path) => path !== '');
  if ((flags['etcd-certfile'] === '') !== (flags['etcd-keyfile'] === ''))
    throw new OptionsError('InvalidValue', '--etcd-certfile and --etcd-keyfile must be given together');
  if (paths.length === 0) return undefined;
  const content = new FileContent({
    paths,
    read: () => {
      const [ca, cert, key] = [read('etcd-cafile'), read('etcd-certfile'), read('etcd-keyfile')];
      const material = {
        ...(ca === undefined ? {} : { ca }),
        ...(cert === undefined || key === undefined ? {} : { cert, key }),
      };
      checkTLSMaterial({ ...material, flags: { cert: 'etcd-certfile', ca: 'etcd-cafile' } });
      return material;
    },
  });
  return () => content.current;
}

/** etcd may be starting at the same time: asks until it answers or the time is up. */
async function firstAnswer(
  factory: StorageFactory,
  servers: readonly string[],
  { signal, connectTimeoutMs = 15_000 }: OpenStorageOptions,
): Promise<void> {
  const deadline = performance.now() + connectTimeoutMs;
  for (const pauses = new Backoff({ firstMs: 10, longestMs: 500 }); ;) {
    try {
      await factory.client.status({ timeoutMs: 2_000, signal });
      return;
    } catch (error) {
      const pauseMs = pauses.next();
      if (performance.now() + pauseMs >= deadline || signal.aborted)
        throw unusableFlag('etcd-servers', `${servers.join(',')} cannot be reached: ${messageOf(error)}`, error);
      await delay(pauseMs);
    }
  }
}

interface EtcdChecks {
  readonly name: string;
  readonly override: string;
  readonly group: string;
  readonly timeoutMs: number;
}

/** Etcd's client asks again until the time is over. */
function unanswered(error: unknown): boolean {
  return isEtcdError(error, 'Unavailable') || isEtcdError(error, 'DeadlineExceeded') || isEtcdError(error, 'Cancelled');
}

/**
 * A check for --etcd-servers and one for each other cluster. Source: storage/storagebackend/factory/etcd3.go
 * newETCD3Check, 1.36.
 */
function etcdChecks(factory: StorageFactory, { group, name, override, timeoutMs }: EtcdChecks): HealthCheck[] {
  const check = (client: EtcdClient, checked: string): HealthCheck => ({
    name: checked,
    group,
    timeoutMs,
    async check(signal) {
      try {
        await client.range({ key: factory.healthKey }, { timeoutMs, signal });
      } catch (error) {
        const reason = unanswered(error) ? 'context deadline exceeded' : messageOf(error);
        throw new Error(`error getting data from etcd: ${reason}`, { cause: error });
      }
    },
  });
  return [
    check(factory.client, name),
    ...factory.overrideClients().map((client, i) => check(client, `${override}-${i}`)),
  ];
}
