import type { ObjectRecord } from '@kubechain/shared-storage';
import type {
  GetOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  UpdatedObjectInfo,
  ValidatedUpdateOptions,
} from '../rest/storage.ts';
import { Store } from './store.ts';
import type { StoreHooks } from './store-hooks.ts';
import type { Strategy } from './strategy.ts';

/**
 * A subresource over the same objects with rules of its own: `status`, `approval`, `resize`. Serves get, update and
 * patch; never creates. Shares the parent's storage: closing it is the parent's.
 */
export function createStatusStorage(store: Store, strategy: Strategy, options: StatusStorageOptions = {}): RESTStorage {
  return new SubresourceStorage(store, strategy, options);
}

/** The rules of such a subresource; undefined for a storage of another kind. */
export function subresourceStrategy(storage: RESTStorage): Strategy | undefined {
  return storage instanceof SubresourceStorage ? storage.strategy : undefined;
}

/** What a subresource has of its resource. */
export interface StatusStorageOptions {
  /** Whether it is shown as a Table, too. Default: as the resource is. */
  readonly tables?: boolean;
  /** What its own updates begin with. Default: nothing. */
  readonly beginUpdate?: StoreHooks['beginUpdate'] | undefined;
}

class SubresourceStorage implements RESTStorage {
  readonly #store: Store;
  readonly strategy: Strategy;
  readonly kind: string;
  readonly memoryVersion: Store['memoryVersion'];
  readonly namespaced: boolean;
  readonly singularName = '';
  declare readonly table?: NonNullable<RESTStorage['table']>;
  declare readonly withoutTables?: true;
  declare readonly resetFields?: NonNullable<RESTStorage['resetFields']>;

  constructor(parent: Store, strategy: Strategy, { beginUpdate, tables = true }: StatusStorageOptions) {
    const { enableGarbageCollection, environment, keyRoot, resourcePrefix, deleteCollectionWorkers, storage } = parent;
    // A subresource allocates nothing, but its update may remove the last finalizer.
    const { beginCreate: _create, beginUpdate: _update, ...hooks } = parent.spec.hooks ?? {};
    const spec = { ...parent.spec, hooks: beginUpdate === undefined ? hooks : { ...hooks, beginUpdate } };
    this.#store = new Store({
      spec,
      storage,
      keyRoot,
      resourcePrefix,
      environment,
      enableGarbageCollection,
      deleteCollectionWorkers,
      strategy: { ...strategy, allowCreateOnUpdate: false },
    });
    this.strategy = strategy;
    this.kind = parent.kind;
    this.memoryVersion = parent.memoryVersion;
    this.namespaced = parent.namespaced;
    if (!tables) this.withoutTables = true;
    else if (parent.table !== undefined) this.table = parent.table;
    if (strategy.resetFields !== undefined) this.resetFields = strategy.resetFields;
  }

  get(context: RESTContext, name: string, options: GetOptions): Promise<ObjectRecord> {
    return this.#store.get(context, name, options);
  }

  update(
    context: RESTContext,
    name: string,
    info: UpdatedObjectInfo,
    options: ValidatedUpdateOptions,
  ): Promise<{ readonly result: RESTResult; readonly created: boolean }> {
    // Upstream's status storages pass forceAllowCreate = false whatever the request says: applying a status creates
    // nothing.
    return this.#store.update(context, name, info, { ...options, forceAllowCreate: false });
  }
}
