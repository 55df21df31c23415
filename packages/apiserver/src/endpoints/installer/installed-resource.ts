import type { GroupVersionResource, ReleaseAge, Scheme, TimerClock } from '@kubechain/apimachinery';
import type { AdmissionChain, EquivalentResource } from '../../admission/admission.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { WatchMetrics } from '../../metrics/watch-metrics.ts';
import type { SideServer } from '../../request/side-server.ts';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import type { DiscoveryManager } from '../discovery/discovery-manager.ts';
import type { ResourceRoutes } from '../route.ts';

/** What an installer works with. */
export interface APIInstallerOptions {
  readonly routes: ResourceRoutes;
  readonly discovery: DiscoveryManager;
  readonly admission: AdmissionChain;
  /**
   * Other versions and groups in which a resource's objects are served. Default: the installer's own, of the same
   * group.
   */
  readonly equivalents?: (resource: GroupVersionResource, subresource: string) => readonly EquivalentResource[];
  /** Asked for `create` when an update or apply creates. */
  readonly authorizer: Authorizer;
  readonly clock: TimerClock;
  /** Feature gate AllowUnsafeMalformedObjectDeletion. Default false. */
  readonly unsafeDeletion?: boolean;
  /** As RequestScope. Default false. */
  readonly sharding?: boolean;
  /** Feature gate CBORServingAndStorage: bodies and answers may be CBOR. Default false. */
  readonly cbor?: boolean;
  /** Whose words answers are in. Default: the checked-in tables' release. */
  readonly release?: ReleaseAge;
  /** Default 3 MiB; larger bodies are answered 413. */
  readonly maxRequestBodyBytes?: number;
  /**
   * --min-request-timeout: watches without timeoutSeconds end after a random time between this and twice this. Default
   * 1,800,000.
   */
  readonly minRequestTimeoutMs?: number;
  /** Answers requests whose bodies have very many values. Default: they are answered as the others. */
  readonly sideServer?: SideServer | undefined;
  /** What watches are counted in; default: nobody looks. */
  readonly watchMetrics?: WatchMetrics;
  /** Handlers of built-in resources are made when the first request for one comes. Default: at once. */
  readonly deferRoutes?: boolean;
  /** 0 to 1, for watch timeouts. */
  readonly random: () => number;
}

/** One resource or subresource that is installed at run time. */
export interface InstalledResource {
  readonly group: string;
  readonly version: string;
  /** `pods` or `pods/status`. */
  readonly path: string;
  readonly storage: RESTStorage;
  readonly scheme: Scheme;
  /** Custom resources: no protobuf, no router-level media type checks, unstructured list items. Default false. */
  readonly custom?: boolean;
  /** How errors call the scheme; default that of built-in resources. */
  readonly schemeName?: string;
  /** Warning of every answer of a deprecated version; default that of the storage. */
  readonly deprecationWarning?: string;
  /** Makes the admission of this resource of the server's. Default: the server's. */
  readonly wrapAdmission?: (chain: AdmissionChain) => AdmissionChain;
}
