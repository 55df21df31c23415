import type {
  Authorizer,
  BuiltinResource,
  RESTStorage,
  RuleResolver,
  Store,
  TokenAuthenticator,
} from '@kubechain/apiserver/resources';
import type { FeatureGate } from '@kubechain/apiserver/options';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { GeneratesTokens } from '@kubechain/apiserver/tokens';
import type { GroupVersionKind, Randomness, Release, TimerClock } from '@kubechain/apimachinery';
import type { Capabilities } from './capabilities.ts';
import type { KubeletClient } from '../kubelet/kubelet-client.ts';
import type { ComponentCheck } from './component-check.ts';
import type { ServiceAllocators } from './service-allocation/service-allocation.ts';

/** A path below a group version, `pods` or `pods/status`, and what serves it. */
export type ResourceEntry = readonly [path: string, storage: RESTStorage];

/** Makes the storages of one resource and its subresources. Called once per process. */
export type StorageProvider = (context: RegistryContext) => readonly ResourceEntry[];

/** What storages may need of the server that they are installed in. */
export interface RegistryContext {
  /** Makes the generic registry store of a resource. */
  store(resource: BuiltinResource): Store;
  /** The store of another resource, to be asked for while a request is served, when all are made. */
  readonly storeOf: (group: string, plural: string) => Store;
  /** Whose resources these are. */
  readonly release: Release;
  readonly clock: TimerClock;
  readonly randomness: Randomness;
  readonly capabilities: Capabilities;
  /** Whether a feature is on (--feature-gates). */
  readonly featureEnabled: (gate: FeatureGate) => boolean;
  readonly authorizer: Authorizer;
  readonly ruleResolver: RuleResolver | undefined;
  /** The resource whose objects are of a kind, custom resources included; undefined for unknown kinds. */
  readonly resourceOfKind: (kind: GroupVersionKind) => Promise<string | undefined>;
  /** For TokenReview: undefined when the server authenticates no tokens. */
  readonly tokenAuthenticator: TokenAuthenticator | undefined;
  /** For serviceaccounts/token: undefined without a signing key. */
  readonly tokenIssuer: ServiceAccountTokenIssuer | undefined;
  /** The parts of the control plane by name, for componentstatuses. */
  readonly components: () => ReadonlyMap<string, ComponentCheck>;
  /** Where services get their addresses and node ports from. */
  readonly serviceAllocators: ServiceAllocators;
  /** Where resources count what is done with them. Default: nowhere. */
  readonly metrics?: MetricRegistry;
  /** Seconds that events live (--event-ttl). */
  readonly eventTTLSeconds: number;
  /** How the streams into pods and nodes find kubelets, and what they may do. */
  readonly streaming: { readonly kubelets: KubeletClient; readonly features: StreamingFeatures };
}

/** Feature gates of the streams into pods, 1.36. */
export interface StreamingFeatures {
  /** AuthorizePodWebsocketUpgradeCreatePermission: streams that are opened with GET need the right to create. */
  readonly streamsNeedCreate: boolean;
  /** PodLogsQuerySplitStreams: logs may be asked for by stream. */
  readonly splitLogStreams: boolean;
  /** TranslateStreamCloseWebsocketRequests: WebSockets of exec and attach become SPDY on the way to kubelets. */
  readonly translatesStreams: boolean;
  /** PortForwardWebsockets: SPDY comes through WebSockets. */
  readonly tunnelsPortForwards: boolean;
  /** ExtendWebSocketsToKubelet: kubelets that say so get WebSockets as they are. */
  readonly extendsToKubelets: boolean;
}

/** What serviceaccounts/token needs of the server's configuration. */
export interface ServiceAccountTokenIssuer {
  readonly generator: GeneratesTokens;
  /** Audiences that a token gets when the request names none (--api-audiences). */
  readonly audiences: readonly string[];
  /** Longest validity that is granted, in seconds; 0 = no limit. */
  readonly maxExpirationSeconds: number;
  /**
   * Stretch tokens of pods and report their late use instead of refusing it
   * (--service-account-extend-token-expiration).
   */
  readonly extendExpiration: boolean;
  /** Longest validity that tokens are stretched to, in seconds. Absent: a year. */
  readonly maxExtendedSeconds?: number;
}
