import type { OriginPattern } from '../filters/cors.ts';
import type { Randomness, Release, TimerClock } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { AdmissionChain } from '../admission/admission.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { RequestAuthenticator } from '../authentication/authenticator.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { RequestPattern } from '../request/request-pattern.ts';
import type { Filter } from '../request/filter.ts';
import type { SideServer } from '../request/side-server.ts';
import type { FlowController } from '../filters/flow-control.ts';
import type { RequestTracer } from '../tracing/request-tracer.ts';
import type { MaxInFlightLimits } from '../filters/max-in-flight.ts';
import type { DelegateListenerOptions } from './delegation/delegate-listener.ts';
import type { InsecureServingOptions } from './serving/insecure-serving.ts';
import type { ShownCertificate } from './serving/shown-certificate.ts';
import type { TenantRouter } from './tenant-router.ts';
import type { SecureServingOptions } from './serving/secure-serving.ts';
import type { FeatureGates } from '../options/feature-gates.ts';
import type { StorageVersionBarrier } from '../storage-version/storage-version-barrier.ts';
import { type VersionInfo } from '../options/version.ts';
import type { HeapGauge } from '../watchdog/heap-gauge.ts';
import type { WorkObserver } from '../watchdog/loop-watchdog.ts';

/** What the control API has in a handler chain. */
export interface RequestControl {
  readonly filter: Filter;
  readonly record: (context: ServerRequestContext, durationMs: number) => void;
  /** What the secure port shows; absent: its own. */
  readonly certificate?: ShownCertificate;
}

/** Looks at requests while somebody wants it to; what is observed of them is in their contexts. */
export interface RequestWatcher {
  /** Stands where the context is new. */
  readonly filter: Filter;
  /** The same behind a hop: looks at what the process in front looks at. */
  readonly delegatedFilter: Filter;
  readonly record: (context: ServerRequestContext, durationMs: number) => void;
}

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
  /** Watches and other requests without a deadline of one user; 0 is any number; default 10,000. */
  readonly maxWatchesPerUser?: number;
  readonly auditor?: Auditor;
  /** What may not be written yet (feature gate StorageVersionAPI); default: nothing waits. */
  readonly storageVersions?: StorageVersionBarrier | undefined;
  /** Told of every request before it is looked at; default: nobody is. */
  readonly watchdog?: WorkObserver;
  /** Tells whether there is room for more objects; default: nobody looks. */
  readonly heap?: HeapGauge | undefined;
  /** Answers requests whose bodies have very many values; default: they are answered as the others. */
  readonly sideServer?: SideServer | undefined;
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
  /** While stopping, new requests get 429 until the last one is answered, instead of 503; default false. */
  readonly shutdownSendRetryAfter?: boolean;
  /** Unix socket for /debug without authentication; default none. */
  readonly debugSocketPath?: string;
  /** A port of this machine without TLS, authentication and authorization; default none. */
  readonly insecureServing?: InsecureServingOptions;
  /** `--feature-gates`; default: each as it is by default. */
  readonly featureGates?: FeatureGates;
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
  /** Requests at which an attached debugger stops. */
  readonly breakOn?: RequestPattern;
  /** What the control API needs to know of requests, and may do to them; default nothing. */
  readonly control?: RequestControl;
  /** Requests of the process in front may bring faults with them; default false. */
  readonly meetsFaults?: boolean;
  /** Hands requests for tenants to them; default: there are none. */
  readonly tenants?: TenantRouter;
  /** What stands before each path of the server where clients find it; default nothing. */
  readonly pathPrefix?: string;
  /** Handlers of resources are made when the first request for them comes; default: at once. */
  readonly deferRoutes?: boolean;
  /** Tells the page of the chain about requests; default nobody. */
  readonly watcher?: RequestWatcher;
  /** Traces requests; default nobody. */
  readonly tracer?: RequestTracer;
  /** Feature gate AllowUnsafeMalformedObjectDeletion; default false. */
  readonly unsafeDeletion?: boolean;
  /** As RequestScope. Default false. */
  readonly sharding?: boolean;
  /** Feature gate CBORServingAndStorage: bodies and answers may be CBOR; default false. */
  readonly cbor?: boolean;
  /** Tells names and values of all flags, for /flagz; default none. */
  readonly flags?: () => ReadonlyMap<string, string>;
  readonly version?: VersionInfo;
  /** Whose API definitions are published; default: the checked-in tables' release. */
  readonly release?: Release;
  /** Default: the machine's. */
  readonly clock?: TimerClock;
  /** Default: the machine's. */
  readonly randomness?: Randomness;
  /** Whole names of metrics that are not shown; default none. */
  readonly disabledMetrics?: ReadonlySet<string>;
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
  readonly storageVersions: StorageVersionBarrier | undefined;
  readonly watchdog: WorkObserver | undefined;
  readonly heap: HeapGauge | undefined;
  readonly sideServer: SideServer | undefined;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutMs: number;
  readonly corsAllowedOrigins: readonly OriginPattern[];
  readonly hstsDirectives: readonly string[];
  readonly goawayChance: number;
  readonly maxWatchesPerUser: number;
  readonly livezGraceMs: number;
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
  readonly shutdownSendRetryAfter: boolean;
  readonly debugSocketPath: string;
  readonly insecureServing: InsecureServingOptions | undefined;
  readonly featureGates: FeatureGates;
  readonly externalAddress: string | undefined;
  readonly serveDiscoveryRoots: boolean;
  readonly discoveryByPriority: boolean;
  readonly enableProfiling: boolean;
  readonly servedByHeader: boolean;
  readonly breakOn: RequestPattern | undefined;
  readonly control: RequestControl | undefined;
  readonly meetsFaults: boolean;
  readonly tenants: TenantRouter | undefined;
  readonly pathPrefix: string;
  readonly deferRoutes: boolean;
  readonly watcher: RequestWatcher | undefined;
  readonly tracer: RequestTracer | undefined;
  readonly unsafeDeletion: boolean;
  readonly sharding: boolean;
  readonly cbor: boolean;
  readonly flags: () => ReadonlyMap<string, string>;
  readonly version: VersionInfo;
  readonly release: Release;
  readonly clock: TimerClock;
  readonly randomness: Randomness;
  readonly disabledMetrics: ReadonlySet<string>;
  readonly metrics: MetricRegistry;
}
