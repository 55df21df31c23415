import type { GroupVersion, KubeObject, Scheme } from '@kubechain/apimachinery';
import type { ObjectAttributes } from '@kubechain/shared-storage';
import type { TableConvertor } from '../../table/table-convertor.ts';
import type { StoreHooks } from './store-hooks.ts';
import type { Strategy } from './strategy.ts';

/** Reads one selectable field off an object in memory version. */
export type FieldReader = (object: KubeObject) => string;

/**
 * Everything that `createResource` needs to serve one resource: names, versions and what is special.
 * A built-in resource is one such literal; custom resources make theirs at run time.
 */
export interface ResourceSpec {
  /** Knows the kind in every version that is served or stored. */
  readonly scheme: Scheme;
  readonly group: string;
  /** Resource name, e.g. `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  /** Default `${kind}List`. */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Version that strategies see and records are kept in. Usually the preferred served one. */
  readonly memoryVersion: GroupVersion;
  /** Version that is written to etcd. Default: memoryVersion. */
  readonly storageVersion?: GroupVersion;
  /** Default: no special behaviour. */
  readonly strategy?: Strategy;
  /** What happens around storage: allocation of addresses and the like. */
  readonly hooks?: StoreHooks;
  /** Columns of `kubectl get`; default Name and Age (Created At). */
  readonly table?: TableConvertor;
  /** Selectable fields besides metadata.name and metadata.namespace. Defines at once what field selectors may name. */
  readonly fields?: Readonly<Record<string, FieldReader>>;
  /** Cacher indexes, e.g. `{ 'spec.nodeName': (a) => a.fields['spec.nodeName'] }`. */
  readonly indexers?: Readonly<Record<string, (attributes: ObjectAttributes) => string | undefined>>;
  /** Seconds until a new or updated object expires; 0 = never. `existing` is the TTL of the object that is updated. */
  readonly ttlSeconds?: (object: KubeObject, existing: number, update: boolean) => number;
  /**
   * Whether a new object like this is stored without a default that it is read with, as kube-apiserver stores those
   * whose strategies take it away again: its first update writes it, whatever else that changes. Default: none is.
   */
  readonly isStoredBare?: (object: KubeObject) => boolean;
  /**
   * DELETE answers with the deleted object instead of a Status (pods, PVCs, services, custom resources …). Default
   * false.
   */
  readonly returnDeletedObject?: boolean;
  /**
   * Finalizers may have any name without a domain (custom resources, and kinds outside of the core group that came
   * later). Default false: only those of Kubernetes itself may.
   */
  readonly anyFinalizers?: boolean;
  /** Name of the storage prefix where it is not the default `/<group?>/<plural>`; normally RESTOptions know it. */
  readonly resourcePrefix?: string;
  /** Names that field selectors may use for such a field besides its own (spec.nodeName's old `spec.host`). */
  readonly fieldLabelAliases?: Readonly<Record<string, string>>;
  /** Error type for field labels: kinds with their own conversion say `field label not supported: x`. */
  readonly fieldLabelError?: (label: string, version: string) => string;
  /** Warning of every answer, for resources that are deprecated. */
  readonly deprecationWarning?: string;
  /** Items of lists carry apiVersion and kind (custom resources). Default false, as Go's typed lists. */
  readonly typedListItems?: boolean;
  /**
   * Objects may be stored in any served version and are converted when they are read for a request, because the
   * conversion may need a webhook (custom resources). Records are then in the version that they were stored in.
   */
  readonly convertOnRead?: boolean;
  /**
   * Stored bytes must be decoded, pruned and defaulted each time they are read, because the schema may have changed
   * since they were written (custom resources). Default false: bytes in the memory version are served as they are
   * stored.
   */
  readonly decodeOnRead?: boolean;
  /** What objects of old lack in storage. Default: nothing. */
  readonly storedCompletion?: StoredCompletion;
}

/** Makes up for what objects lack that were stored before fields came which others need (upstream's Decorator). */
export interface StoredCompletion {
  /** Whether stored JSON may be served as it is. Looked at for each read: cheap. */
  isComplete(stored: Buffer): boolean;
  /** Changes an object in its memory version, with defaults. */
  complete(object: KubeObject): void;
}
