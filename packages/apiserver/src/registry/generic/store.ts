import { formatGroupVersion, nameIsDNSLabel, nameIsDNSSubdomain, nameIsPathSegment } from '@kubechain/apimachinery';
import type { GroupResource, GroupVersion, KubeObject, NameValidator } from '@kubechain/apimachinery';
import type {
  InformerEnds,
  ListOptions as StorageListOptions,
  ListResult,
  ObjectRecord,
  StorageInterface,
  Watch,
  WatchSink,
} from '@kubechain/shared-storage';
import { timed } from '../../request/timed.ts';
import type { TableConvertor } from '../../table/table-convertor.ts';
import { requiredValue } from '../rest/selection-predicate.ts';
import type {
  ValidatedCreateOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  UpdatedObjectInfo,
  ValidatedUpdateOptions,
  ValidateDeletion,
  ValidateObject,
  WatchOptions,
  FieldTerm,
} from '../rest/storage.ts';
import { interpretStorageError } from '../storage-errors.ts';
import { create } from './create.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteCorruptObject } from './delete-corrupt.ts';
import { deleteObject } from './delete.ts';
import { convertFieldLabel } from './field-labels.ts';
import { checkKeyParameters } from './key-parameters.ts';
import type { ResourceSpec } from './resource-spec.ts';
import type { StoreContext } from './store-context.ts';
import type { StoreEnvironment } from './store-environment.ts';
import type { Strategy } from './strategy.ts';
import { updateMetadataChecks } from './update-metadata-checks.ts';
import type { MetadataCheck } from './update-metadata-checks.ts';
import { update } from './update.ts';

export interface StoreOptions {
  readonly spec: ResourceSpec;
  readonly storage: StorageInterface;
  /** Full key root without trailing slash, e.g. `/registry/configmaps`. */
  readonly keyRoot: string;
  /** The end of it that is the resource's own, e.g. `/configmaps`. Default: all of it. */
  readonly resourcePrefix?: string;
  readonly enableGarbageCollection: boolean;
  readonly deleteCollectionWorkers: number;
  /** As in RESTOptions. */
  readonly informerEnds?: InformerEnds | undefined;
  readonly environment: StoreEnvironment;
  /** In place of the spec's own; for subresources over the same objects. */
  readonly strategy?: Strategy;
}

/**
 * The generic registry: every verb over one StorageInterface, with a Strategy for what is special about the resource
 * (registry/generic/registry/store.go). Results are records, whose bytes are served as they are.
 */
export class Store implements RESTStorage, StoreContext {
  readonly spec: ResourceSpec;
  readonly storage: StorageInterface;
  readonly strategy: Strategy;
  readonly environment: StoreEnvironment;
  readonly keyRoot: string;
  readonly resourcePrefix: string;
  readonly enableGarbageCollection: boolean;
  readonly deleteCollectionWorkers: number;
  readonly informerEnds: InformerEnds | undefined;
  /** Rule for names of this resource. */
  readonly validateName: NameValidator;
  /** How often and how updates check the metadata again. */
  readonly updateChecksMetadata: readonly MetadataCheck[];

  readonly kind: string;
  readonly listKind: string;
  readonly memoryVersion: GroupVersion;
  readonly storageVersion: GroupVersion;
  readonly namespaced: boolean;
  readonly singularName: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly typedListItems: boolean;
  declare readonly table?: TableConvertor;
  declare readonly deprecationWarning?: string;
  declare readonly resetFields?: NonNullable<RESTStorage['resetFields']>;

  constructor(options: StoreOptions) {
    const { spec } = options;
    this.spec = spec;
    this.storage = options.storage;
    this.strategy = options.strategy ?? spec.strategy ?? {};
    this.environment = options.environment;
    this.keyRoot = options.keyRoot;
    this.resourcePrefix = options.resourcePrefix ?? options.keyRoot;
    this.enableGarbageCollection = options.enableGarbageCollection;
    this.deleteCollectionWorkers = options.deleteCollectionWorkers;
    this.informerEnds = options.informerEnds;
    this.validateName = this.strategy.validateName ?? spec.strategy?.validateName ?? nameIsDNSSubdomain;
    this.updateChecksMetadata =
      this.strategy.updateChecksMetadata ?? (options.strategy === undefined ? updateMetadataChecks(spec) : ['update']);
    this.kind = spec.kind;
    this.listKind = spec.listKind ?? `${spec.kind}List`;
    this.memoryVersion = spec.memoryVersion;
    this.storageVersion = spec.storageVersion ?? spec.memoryVersion;
    this.namespaced = spec.namespaced;
    this.singularName = spec.singular;
    this.shortNames = spec.shortNames ?? [];
    this.categories = spec.categories ?? [];
    this.typedListItems = spec.typedListItems === true;
    if (spec.table !== undefined) this.table = spec.table;
    if (spec.deprecationWarning !== undefined) this.deprecationWarning = spec.deprecationWarning;
    if (this.strategy.resetFields !== undefined) this.resetFields = this.strategy.resetFields;
  }

  async get(context: RESTContext, name: string, options: GetOptions): Promise<ObjectRecord> {
    try {
      const record = await timed(
        context.request,
        'storage',
        this.storage.get(this.key(context, name), {
          resourceVersion: options.resourceVersion ?? '',
          signal: context.request.signal,
          answeredBy: context.request.observation?.answeredBy,
        }),
      );
      return record as ObjectRecord;
    } catch (error) {
      throw interpretStorageError(error, 'get', this.groupResource(context), name);
    }
  }

  async list(context: RESTContext, options: ListOptions): Promise<ListResult> {
    // What goes on is a list of many, also where only one of them is asked for.
    const name =
      options.continue === '' ? (options.name ?? requiredValue(options.predicate.field, 'metadata.name')) : undefined;
    const target = this.#target(context, options.predicate.field, name);
    const listOptions: StorageListOptions = {
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      predicate: options.predicate,
      limit: options.limit,
      continue: options.continue,
      recursive: target.recursive,
      signal: context.request.signal,
      answeredBy: context.request.observation?.answeredBy,
    };
    try {
      const found = await timed(context.request, 'storage', this.storage.getList(target.key, listOptions));
      const { shard } = options.predicate;
      return shard === undefined ? found : { ...found, shard: shard.text };
    } catch (error) {
      throw interpretStorageError(error, 'list', this.groupResource(context), '');
    }
  }

  async watch(context: RESTContext, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    const name = options.name ?? requiredValue(options.predicate.field, 'metadata.name');
    const target = this.#target(context, options.predicate.field, name);
    try {
      return await this.storage.watch(
        target.key,
        {
          resourceVersion: options.resourceVersion,
          predicate: options.predicate,
          recursive: target.recursive,
          allowWatchBookmarks: options.allowWatchBookmarks,
          deadlineMs: options.deadlineMs,
          signal: context.request.signal,
          ...(options.sendInitialEvents === undefined ? {} : { sendInitialEvents: options.sendInitialEvents }),
        },
        sink,
      );
    } catch (error) {
      throw interpretStorageError(error, 'watch', this.groupResource(context), name ?? '');
    }
  }

  create(
    context: RESTContext,
    _name: string,
    object: KubeObject,
    options: ValidatedCreateOptions,
  ): Promise<RESTResult> {
    return create(this, { context, object, validate: options.validate, options });
  }

  update(
    context: RESTContext,
    name: string,
    info: UpdatedObjectInfo,
    options: ValidatedUpdateOptions,
  ): Promise<{ readonly result: RESTResult; readonly created: boolean }> {
    const { validateCreate, validateUpdate } = options;
    return update(this, { context, name, info, validateCreate, validateUpdate, options });
  }

  delete(
    context: RESTContext,
    name: string,
    validate: ValidateDeletion,
    options: DeleteOptions,
  ): Promise<{ readonly result: RESTResult; readonly deleted: boolean }> {
    this.#warnOfDelete(context, options);
    return deleteObject(this, { context, name, validate, options });
  }

  deleteCorrupt(context: RESTContext, name: string, options: { readonly dryRun: boolean }): Promise<void> {
    return deleteCorruptObject(this, { context, name, ...options });
  }

  deleteCollection(
    context: RESTContext,
    validate: ValidateObject,
    options: DeleteOptions,
    listOptions: ListOptions,
  ): Promise<ListResult> {
    this.#warnOfDelete(context, options);
    return deleteCollection(this, { context, validate, options, listOptions });
  }

  #warnOfDelete(context: RESTContext, options: DeleteOptions): void {
    for (const warning of this.strategy.warningsOnDelete?.(options) ?? []) context.request.addWarning(warning);
  }

  convertFieldLabel(term: FieldTerm): readonly [label: string, value: string] {
    return convertFieldLabel(this.spec, term);
  }

  /** Stops watches and background work of the storage. */
  close(): Promise<void> {
    return this.storage.close();
  }

  /**
   * Key of one object.
   * @throws StatusError BadRequest for a name that cannot be part of a key
   */
  key(context: RESTContext, name: string): string {
    checkKeyParameters({ namespaced: this.namespaced, namespace: context.namespace, name });
    return this.namespaced ? `${this.keyRoot}/${context.namespace}/${name}` : `${this.keyRoot}/${name}`;
  }

  /** Prefix of all objects of a namespace, or of all objects. */
  listKey(namespace: string): string {
    return this.namespaced && namespace !== '' ? `${this.keyRoot}/${namespace}/` : `${this.keyRoot}/`;
  }

  /** The resource as the request names it (one store may be served by two groups), or the store's own. */
  groupResource(context: RESTContext): GroupResource {
    const info = context.request.requestInfo;
    return info.resource === ''
      ? { group: this.spec.group, resource: this.spec.plural }
      : { group: info.apiGroup, resource: info.resource };
  }

  /** A stored object as strategies want it. Only custom resources with several stored versions make this wait. */
  toMemoryVersion(object: KubeObject): KubeObject | Promise<KubeObject> {
    if (this.spec.convertOnRead !== true) return object;
    return object.apiVersion === formatGroupVersion(this.memoryVersion)
      ? object
      : this.spec.scheme.convert(object, this.memoryVersion);
  }

  /** One object if the request names one, else a prefix, which a field selector may narrow to one namespace. */
  #target(
    context: RESTContext,
    field: ListOptions['predicate']['field'],
    name: string | undefined,
  ): { readonly key: string; readonly recursive: boolean } {
    let { namespace } = context;
    if (this.namespaced && namespace === '') {
      const selected = requiredValue(field, 'metadata.namespace');
      if (selected !== undefined && nameIsDNSLabel(selected, false).length === 0) namespace = selected;
    }
    const single =
      name !== undefined &&
      (!this.namespaced || namespace !== '') &&
      name !== '' &&
      nameIsPathSegment(name, false).length === 0;
    if (single)
      return {
        key: this.namespaced ? `${this.keyRoot}/${namespace}/${name}` : `${this.keyRoot}/${name}`,
        recursive: false,
      };
    return { key: this.listKey(namespace), recursive: true };
  }
}
