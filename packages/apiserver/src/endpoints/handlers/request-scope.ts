import type {
  GroupResource,
  GroupVersionKind,
  GroupVersionResource,
  KindInfo,
  ReleaseAge,
  Scheme,
  TimerClock,
} from '@kubechain/apimachinery';
import type { AdmissionChain, EquivalentResource } from '../../admission/admission.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { ResourceWatchMetrics } from '../../metrics/watch-metrics.ts';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import type { EndpointOffer } from '../../negotiation/negotiate.ts';
import type { FieldManager } from '../../registry/fieldmanager/field-manager.ts';
import type { SideServer } from '../../request/side-server.ts';
import type { WorkShare } from '../../request/work-share.ts';
import type { RecordViews } from './record-views.ts';

/**
 * What all handlers of one resource or subresource in one group version share (handlers.RequestScope). Made once, when
 * the resource is installed.
 */
export interface RequestScope {
  readonly storage: RESTStorage;
  readonly scheme: Scheme;
  readonly resource: GroupVersionResource;
  readonly groupResource: GroupResource;
  readonly subresource: string;
  /** Kind of the objects in requests and answers. */
  readonly kind: GroupVersionKind;
  /** `apps/v1`: apiVersion of those objects. */
  readonly apiVersion: string;
  readonly kindInfo: KindInfo;
  readonly listKind: string;
  /** Records of the storage are in the served version: their bytes are the answer. */
  readonly servesRecords: boolean;
  /** `{"kind":"ConfigMap","apiVersion":"v1",`: what records begin with, and typed list items leave out. */
  readonly recordPrefix: Buffer;
  /** The same in the version of the storage's records. */
  readonly memoryPrefix: Buffer;
  /** What is kept of records in other forms than their own; all scopes of a server share it. */
  readonly views: RecordViews;
  /** Gives requests their turns; all scopes of a server share it. */
  readonly work: WorkShare;
  /** Answers requests whose bodies have very many values; undefined where the server answers them itself. */
  readonly sideServer: SideServer | undefined;
  /** Formats and transformations that can be asked for. */
  readonly offer: EndpointOffer;
  /**
   * Media types for the router's own 406; undefined for custom resources, which the reference serves without that
   * router.
   */
  readonly produces: readonly string[] | undefined;
  readonly listProduces: readonly string[] | undefined;
  /** Feature gate CBORServingAndStorage: bodies and answers, errors among them, may be CBOR. */
  readonly cbor: boolean;
  /** Content types of patches, in the order in which errors list them. */
  readonly patchTypes: readonly string[];
  readonly admission: AdmissionChain;
  /** Other versions and groups in which the same objects are served; changes with what is installed. */
  readonly equivalents: () => readonly EquivalentResource[];
  readonly authorizer: Authorizer;
  /** undefined where objects have no managed fields (reviews, evictions). */
  readonly fieldManager: FieldManager | undefined;
  /**
   * Feature gate AllowUnsafeMalformedObjectDeletion: DELETE may name
   * `ignoreStoreReadErrorWithClusterBreakingPotential`.
   */
  readonly unsafeDeletion: boolean;
  /** Feature gate ShardedListAndWatch: lists and watches may be of a part of all objects. */
  readonly sharding: boolean;
  /** Whose words answers are in. */
  readonly release: ReleaseAge;
  readonly clock: TimerClock;
  readonly maxRequestBodyBytes: number;
  readonly minRequestTimeoutMs: number;
  readonly random: () => number;
  /** What the resource's watches are counted in. */
  readonly watchMetrics: ResourceWatchMetrics;
  /** Custom resources: unstructured, no strategic merge. */
  readonly custom: boolean;
  /** Warning of every answer of a deprecated API. */
  readonly deprecationWarning: string | undefined;
  /** What upstream calls the scheme in `no kind … is registered` texts. */
  readonly schemeName: string;
}
