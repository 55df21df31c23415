import { builtinRelease, limits, systemClock, systemRandomness } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { AdmissionChain } from '../admission/admission.ts';
import { MaxInFlight } from '../filters/max-in-flight.ts';
import { GenericAPIServer } from './generic-api-server.ts';
import { emptyDelegate } from './delegation/empty-delegate.ts';
import type { DelegationTarget } from './delegation-target.ts';
import { FeatureGates } from '../options/feature-gates.ts';
import { serverVersion } from '../options/version.ts';
import type { CompletedConfig, Config } from './completed-config.ts';

/** A completed configuration that servers are made with. */
export interface ServerConfig extends CompletedConfig {
  /** Makes the server; `delegate` answers what it does not know. */
  newServer(name: string, delegate?: DelegationTarget): GenericAPIServer;
}

const noAdmission: AdmissionChain = {
  empty: true,
  handles: () => false,
  admit() {
    /* no plugins */
  },
  validate() {
    /* no plugins */
  },
};

/** Fills in the defaults, once. */
export function completeConfig(config: Config): ServerConfig {
  const completed: ServerConfig = {
    serving: config.serving,
    delegateListener: config.delegateListener,
    authenticator: config.authenticator ?? { authenticate: () => undefined },
    authorizer: config.authorizer ?? { authorize: () => ({ decision: 'NoOpinion', reason: '' }) },
    admission: config.admission ?? noAdmission,
    flowController: config.flowController ?? new MaxInFlight(config.maxInFlight ?? { readOnly: 400, mutating: 200 }),
    maxWatchesPerUser: config.maxWatchesPerUser ?? limits.watchesPerUser.value,
    auditor: config.auditor,
    storageVersions: config.storageVersions,
    watchdog: config.watchdog,
    heap: config.heap,
    sideServer: config.sideServer,
    requestTimeoutMs: config.requestTimeoutMs ?? 60_000,
    minRequestTimeoutMs: config.minRequestTimeoutMs ?? 1_800_000,
    corsAllowedOrigins: config.corsAllowedOrigins ?? [],
    hstsDirectives: config.hstsDirectives ?? [],
    goawayChance: config.goawayChance ?? 0,
    livezGraceMs: config.livezGraceMs ?? 0,
    shutdownDelayMs: config.shutdownDelayMs ?? 0,
    shutdownGraceMs: config.shutdownGraceMs ?? 60_000,
    shutdownSendRetryAfter: config.shutdownSendRetryAfter ?? false,
    debugSocketPath: config.debugSocketPath ?? '',
    insecureServing: config.insecureServing,
    featureGates: config.featureGates ?? new FeatureGates(),
    externalAddress: config.externalAddress,
    serveDiscoveryRoots: config.serveDiscoveryRoots ?? true,
    discoveryByPriority: config.discoveryByPriority ?? false,
    enableProfiling: config.enableProfiling ?? true,
    servedByHeader: config.servedByHeader ?? false,
    breakOn: config.breakOn,
    control: config.control,
    meetsFaults: config.meetsFaults ?? false,
    tenants: config.tenants,
    pathPrefix: config.pathPrefix ?? '',
    deferRoutes: config.deferRoutes ?? false,
    watcher: config.watcher,
    tracer: config.tracer,
    unsafeDeletion: config.unsafeDeletion ?? false,
    sharding: config.sharding ?? false,
    cbor: config.cbor ?? false,
    flags: config.flags ?? (() => new Map()),
    version: config.version ?? serverVersion(),
    release: config.release ?? builtinRelease,
    disabledMetrics: config.disabledMetrics ?? new Set(),
    metrics: config.metrics ?? new MetricRegistry(),
    clock: config.clock ?? systemClock,
    randomness: config.randomness ?? systemRandomness,
    newServer: (name, delegate = emptyDelegate()) => new GenericAPIServer(name, completed, delegate),
  };
  return completed;
}
