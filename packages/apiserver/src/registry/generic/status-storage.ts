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
 * patch; creates nothing unless `creates` says so. Shares the parent's storage: closing it is the parent's.
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
  /**
   * Whether an update or an apply to a name that does not exist makes an object, by the rules of the resource for new
   * ones but without what it allocates. Default: neither does.
   */
  readonly creates?: CreatesBy | undefined;
}

/** `apply`: an apply to what does not exist creates it; `update`: any update does. */
export type CreatesBy = 'apply' | 'update';

class SubresourceStorage implements RESTStorage {
  readonly #store: Store;
  readonly #appliesCreate: boolean;
  readonly strategy: Strategy;
  readonly kind: string;
  readonly memoryVersion: Store['memoryVersion'];
  readonly namespaced: boolean;
  readonly singularName = '';
  declare readonly table?: NonNullable<RESTStorage['table']>;
  declare readonly withoutTables?: true;
  declare readonly resetFields?: NonNullable<RESTStorage['resetFields']>;

  constructor(parent: Store, strategy: Strategy, { beginUpdate, creates, tables = true }: StatusStorageOptions) {
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
      strategy:
        creates === undefined
          ? { ...strategy, allowCreateOnUpdate: false }
          : { ...strategy, ...rulesForNewOnes(parent.strategy), allowCreateOnUpdate: creates === 'update' },
    });
    this.#appliesCreate = creates !== undefined;
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
    // Most of upstream's status storages pass forceAllowCreate = false whatever the request says: applying a status
    // creates nothing.
    const forceAllowCreate = this.#appliesCreate && options.forceAllowCreate;
    return this.#store.update(context, name, info, { ...options, forceAllowCreate });
  }
}

/** What a strategy says of objects that are created. */
function rulesForNewOnes(strategy: Strategy): Strategy {
  return Object.fromEntries(RULES_FOR_NEW_ONES.flatMap((rule) => (rule in strategy ? [[rule, strategy[rule]]] : [])));
}

const RULES_FOR_NEW_ONES = [
  'prepareForCreate',
  'rulesLeaveMetadata',
  'validate',
  'validateFirst',
  'validateName',
  'warningsOnCreate',
] as const satisfies readonly (keyof Strategy)[];
