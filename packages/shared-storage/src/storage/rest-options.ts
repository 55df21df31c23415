import type { GroupResource } from '@kubechain/apimachinery';
import type { InformerEnds } from './informer-ends.ts';
import type { ObjectAttributes, ResourceCodec, StorageInterface } from './interfaces.ts';

/** Everything a decorator needs to make the storage of one resource. */
export interface StorageResourceConfig {
  readonly groupResource: GroupResource;
  /** Key prefix below --etcd-prefix, e.g. `/pods` or `/services/specs`; no trailing slash. */
  readonly resourcePrefix: string;
  readonly codec: ResourceCodec;
  readonly namespaced: boolean;
  /** What upstream calls objects of the resource in errors: `*core.Pod`. Default: the resource's name. */
  readonly typeDescription?: string;
  /** Index name → value of an object, e.g. spec.nodeName of pods. */
  readonly indexers?: Readonly<Record<string, (attributes: ObjectAttributes) => string | undefined>>;
  /**
   * The resource came after the process began, as custom resources do: watches begin no earlier than its cache, or than
   * what was written to it here. Default false.
   */
  readonly isLate?: boolean;
}

/** Makes the storage of a resource: UndecoratedStorage (straight to etcd) or StorageWithCacher. */
export type StorageDecorator = (config: StorageResourceConfig) => StorageInterface;

/** How the registry of one resource is stored (generic.RESTOptions). */
export interface RESTOptions {
  readonly decorator: StorageDecorator;
  /** As in StorageResourceConfig. */
  readonly resourcePrefix: string;
  /** Full key root: --etcd-prefix + resourcePrefix. */
  readonly keyRoot: string;
  readonly enableGarbageCollection: boolean;
  readonly deleteCollectionWorkers: number;
  /** Feature gate AllowUnsafeMalformedObjectDeletion: objects that cannot be read are told as such. Default: false. */
  readonly unsafeDeletion?: boolean;
  /** Where informers of the resource count why their watches end. Default: nowhere. */
  readonly informerEnds?: InformerEnds | undefined;
  /** Requests for the resource may meet faults of what is stored: writers that are faster, replicas that lag. */
  readonly meetsFaults?: boolean | undefined;
}

/** Knows that of every resource (generic.RESTOptionsGetter). */
export interface RESTOptionsGetter {
  /** @param resourcePrefix key prefix below --etcd-prefix where the factory's table has none (custom resources) */
  getRESTOptions(resource: GroupResource, resourcePrefix?: string): RESTOptions;
}
