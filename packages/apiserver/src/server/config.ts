<<<<<<< HEAD
=======
import type { OriginPattern } from '../filters/cors.ts';
import type { Clock } from '@kubechain/apimachinery';
>>>>>>> 6ff06e5 (Prove every RegExp linear, and rewrite those that were not)
import { MetricRegistry } from '@kubechain/shared-storage';
import type { AdmissionChain } from '../admission/admission.ts';
import { MaxInFlight } from '../filters/max-in-flight.ts';
import { GenericAPIServer } from './generic-api-server.ts';
import { emptyDelegate } from './delegation/empty-delegate.ts';
import type { DelegationTarget } from './delegation-target.ts';
import { serverVersion } from './version.ts';
import type { CompletedConfig, Config } from './completed-config.ts';

<<<<<<< HEAD
/** A completed configuration that servers are made with. */
export interface ServerConfig extends CompletedConfig {
=======
/** How a server is to be; everything has a default that is safe: nobody gets in. */
export interface Config {
  /** The secure port; absent: none (in-process delegates). */
  readonly serving?: SecureServingOptions;
  /** Where the process in front connects; absent: nowhere. */
  readonly delegateListener?: DelegateListenerOptions;
  /** Default: refuses everyone. */
  readonly authenticator?: RequestAuthenticator;
  /** Default: has no opinion, so everything is forbidden. */
  readonly authorizer?: Authorizer;
  /** Default: no plugins. */
  readonly admission?: AdmissionChain;
  /** Default: MaxInFlight with `maxInFlight`. */
  readonly flowController?: FlowController;
  /** Default 400 read-only and 200 mutating requests. */
  readonly maxInFlight?: MaxInFlightLimits;
  readonly auditor?: Auditor;
  /** Deadline of short requests; default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Watches without timeoutSeconds end after this long up to twice this; default 1,800,000. */
  readonly minRequestTimeoutMs?: number;
  readonly corsAllowedOrigins?: readonly OriginPattern[];
  /** Directives of Strict-Transport-Security; none sends no header. */
  readonly hstsDirectives?: readonly string[];
  /** Share of HTTP/2 requests after which the connection is closed; default 0. */
  readonly goawayChance?: number;
  /** How long livez hides failures of post-start hooks; default 0. */
  readonly livezGraceMs?: number;
  /** From SIGTERM, with readyz failing, until new requests are refused; default 0. */
  readonly shutdownDelayMs?: number;
  /** Bound on waiting for requests in flight while stopping; default 60,000. */
  readonly shutdownGraceMs?: number;
  /** `host:port` for clients outside, in /api; default the request's own address. */
  readonly externalAddress?: string;
  /** The list of groups is in order of priority, as the aggregator's; default false: in order of installation. */
  readonly discoveryByPriority?: boolean;
  /** False leaves /api and /apis to somebody else (the aggregator serves merged ones); default true. */
  readonly serveDiscoveryRoots?: boolean;
  /** /debug/…; default true. */
  readonly enableProfiling?: boolean;
  /** Says on each response which process answered; default false. */
  readonly servedByHeader?: boolean;
  /** Feature gate AllowUnsafeMalformedObjectDeletion; default false. */
  readonly unsafeDeletion?: boolean;
  /** Names and values of all flags, for /flagz; default none. */
  readonly flags?: ReadonlyMap<string, string>;
  readonly version?: VersionInfo;
  readonly clock?: Clock;
  /** What the server counts; default an empty registry of its own. */
  readonly metrics?: MetricRegistry;
}

/** A Config with every default in place. Made by completeConfig only. */
export interface CompletedConfig {
  readonly serving: SecureServingOptions | undefined;
  readonly delegateListener: DelegateListenerOptions | undefined;
  readonly authenticator: RequestAuthenticator;
  readonly authorizer: Authorizer;
  readonly admission: AdmissionChain;
  readonly flowController: FlowController;
  readonly auditor: Auditor | undefined;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutMs: number;
  readonly corsAllowedOrigins: readonly OriginPattern[];
  readonly hstsDirectives: readonly string[];
  readonly goawayChance: number;
  readonly livezGraceMs: number;
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
  readonly externalAddress: string | undefined;
  readonly serveDiscoveryRoots: boolean;
  readonly discoveryByPriority: boolean;
  readonly enableProfiling: boolean;
  readonly servedByHeader: boolean;
  readonly unsafeDeletion: boolean;
  readonly flags: ReadonlyMap<string, string>;
  readonly version: VersionInfo;
  readonly clock: Clock;
  readonly metrics: MetricRegistry;
>>>>>>> 6ff06e5 (Prove every RegExp linear, and rewrite those that were not)
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
    auditor: config.auditor,
    requestTimeoutMs: config.requestTimeoutMs ?? 60_000,
    minRequestTimeoutMs: config.minRequestTimeoutMs ?? 1_800_000,
    corsAllowedOrigins: config.corsAllowedOrigins ?? [],
    hstsDirectives: config.hstsDirectives ?? [],
    goawayChance: config.goawayChance ?? 0,
    livezGraceMs: config.livezGraceMs ?? 0,
    shutdownDelayMs: config.shutdownDelayMs ?? 0,
    shutdownGraceMs: config.shutdownGraceMs ?? 60_000,
    externalAddress: config.externalAddress,
    serveDiscoveryRoots: config.serveDiscoveryRoots ?? true,
    discoveryByPriority: config.discoveryByPriority ?? false,
    enableProfiling: config.enableProfiling ?? true,
    servedByHeader: config.servedByHeader ?? false,
    unsafeDeletion: config.unsafeDeletion ?? false,
    flags: config.flags ?? new Map(),
    version: config.version ?? serverVersion(),
    metrics: config.metrics ?? new MetricRegistry(),
    clock: config.clock ?? { now: Date.now },
    newServer: (name, delegate = emptyDelegate()) => new GenericAPIServer(name, completed, delegate),
  };
  return completed;
}
