import type { GroupResource, GroupVersion, KubeObject, NameValidator } from '@kubechain/apimachinery';
import type { ListResult, StorageInterface } from '@kubechain/shared-storage';
import type { ListOptions, RESTContext } from '../rest/storage.ts';
import type { ResourceSpec } from './resource-spec.ts';
import type { StoreEnvironment } from './store-environment.ts';
import type { Strategy } from './strategy.ts';
import type { MetadataCheck } from './update-metadata-checks.ts';

/** What the verbs of one resource's Store work with. */
export interface StoreContext {
  readonly spec: ResourceSpec;
  readonly storage: StorageInterface;
  readonly strategy: Strategy;
  readonly environment: StoreEnvironment;
  /** Full key root without trailing slash, e.g. `/registry/configmaps`. */
  readonly keyRoot: string;
  /** The end of it that is the resource's own, e.g. `/configmaps`. */
  readonly resourcePrefix: string;
  readonly enableGarbageCollection: boolean;
  readonly deleteCollectionWorkers: number;
  /** Rule for names of this resource. */
  readonly validateName: NameValidator;
  /** How often and how updates check the metadata again. */
  readonly updateChecksMetadata: readonly MetadataCheck[];
  readonly memoryVersion: GroupVersion;

  /**
   * Key of one object.
   * @throws StatusError BadRequest for a name that cannot be part of a key
   */
  key(context: RESTContext, name: string): string;
  /** Prefix of all objects of a namespace. */
  listKey(namespace: string): string;
  /** The resource as the request names it (one store may be served by two groups), or the store's own. */
  groupResource(context: RESTContext): GroupResource;
  /** A stored object as strategies want it. Only custom resources with several stored versions make this wait. */
  toMemoryVersion(object: KubeObject): KubeObject | Promise<KubeObject>;
  list(context: RESTContext, options: ListOptions): Promise<ListResult>;
}
