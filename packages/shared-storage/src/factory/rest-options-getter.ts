import type { InformerEnds } from '../storage/informer-ends.ts';
import { formatGroupResource } from '@kubechain/apimachinery';
import type { GroupResource } from '@kubechain/apimachinery';
import type { StorageInterface } from '../storage/interfaces.ts';
import type { StoreMetrics } from '../etcd3/store-metrics.ts';
import type { ObjectCounts } from './object-counts.ts';
import type { RESTOptions, RESTOptionsGetter, StorageResourceConfig } from '../storage/rest-options.ts';
import type { StorageFactory } from './storage-factory.ts';
import { undecoratedStorage } from './undecorated-storage.ts';

/** Puts a cache in front of a resource's storage; owns `storage` from then on and closes it. */
export type CacheStorage = (cache: {
  readonly storage: StorageInterface;
  readonly config: StorageResourceConfig;
  readonly keyRoot: string;
}) => StorageInterface;

export interface RESTOptionsGetterOptions {
  readonly storageFactory: StorageFactory;
  /** Absent: every resource is served straight from etcd (`--watch-cache=false`). */
  readonly cacheStorage?: CacheStorage | undefined;
  /**
   * `--watch-cache-sizes`, by `resource` or `resource.group`. As upstream, 0 means that the resource is not cached, and
   * any other size that it is; caches size themselves.
   */
  readonly watchCacheSizes?: ReadonlyMap<string, number>;
  /**
   * Resources that are cached only when they have a size; default: events, whose watchers are few and whose writes are
   * many.
   */
  readonly uncached?: ReadonlySet<string>;
  readonly metricsFor?: ((resource: GroupResource) => StoreMetrics) | undefined;
  /** Counts the objects of the storages that are made. */
  readonly counts?: ObjectCounts | undefined;
  /** `--enable-garbage-collector`; default true. */
  readonly enableGarbageCollection?: boolean;
  /** `--delete-collection-workers`; default 1. */
  readonly deleteCollectionWorkers?: number;
  /** Where informers of all resources count why their watches end. Default: nowhere. */
  readonly informerEnds?: InformerEnds | undefined;
  /** As in RESTOptions, of all resources; default false. */
  readonly meetsFaults?: boolean | undefined;
}

const defaultUncached: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/**
 * Chooses UndecoratedStorage or StorageWithCacher for each resource
 * (apiserver/pkg/server/options.StorageFactoryRestOptionsFactory).
 */
export function createRESTOptionsGetter(options: RESTOptionsGetterOptions): RESTOptionsGetter {
  const { storageFactory, cacheStorage } = options;
  const uncached = options.uncached ?? defaultUncached;
  const enableGarbageCollection = options.enableGarbageCollection ?? true;
  const deleteCollectionWorkers = options.deleteCollectionWorkers ?? 1;
  return {
    getRESTOptions(resource: GroupResource, ownPrefix?: string): RESTOptions {
      const name = formatGroupResource(resource);
      const { resourcePrefix, keyRoot, unsafeDeletion } = storageFactory.configFor(resource, ownPrefix);
      const size = options.watchCacheSizes?.get(name);
      const cached = cacheStorage !== undefined && (size === undefined ? !uncached.has(name) : size !== 0);
      const decorator = (config: StorageResourceConfig): StorageInterface => {
        let forget = (): void => undefined;
        const store = undecoratedStorage(storageFactory, config, {
          metrics: options.metricsFor?.(resource),
          onClose: () => forget(),
        });
        const { keyRoot: root } = storageFactory.configFor(config.groupResource, config.resourcePrefix);
        const storage = cached ? cacheStorage({ storage: store, config, keyRoot: root }) : store;
        if (options.counts !== undefined) forget = options.counts.add(config.groupResource, storage, root);
        return storage;
      };
      const { informerEnds, meetsFaults } = options;
      return {
        decorator,
        resourcePrefix,
        keyRoot,
        enableGarbageCollection,
        deleteCollectionWorkers,
        unsafeDeletion,
        informerEnds,
        meetsFaults,
      };
    },
  };
}
