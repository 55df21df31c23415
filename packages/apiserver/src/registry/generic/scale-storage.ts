import {
  FieldPath,
  ScaleHandler,
  badRequest,
  ensureMeta,
  formatGroupVersion,
  goQuote,
  internalError,
  invalid,
  invalidValue,
  nameIsDNSSubdomain,
  validateObjectMeta,
} from '@kubechain/apimachinery';
import type { GroupVersion, GroupVersionKind, KubeObject, ReplicasPaths } from '@kubechain/apimachinery';
import { createdDescription, nameDescription } from '../../table/default-table.ts';
import { ageSince } from '../../table/age-cell.ts';
import type { TableConvertor } from '../../table/table-convertor.ts';
import { copyObject } from '../rest/copy-object.ts';
import { refuseUnmetPreconditions } from '../rest/unmet-precondition.ts';
import { validateFinalizerNames } from './own-metadata.ts';
import { isRecord } from '../rest/result.ts';
import type {
  GetOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  UpdatedObjectInfo,
  ValidatedUpdateOptions,
} from '../rest/storage.ts';
import type { Store } from './store.ts';

/** How the replicas of an object are read and written. Objects are private copies in memory version. */
export interface ScaleAccess {
  /** Desired replicas; undefined where the object does not say (custom resources refuse then). */
  readSpecReplicas(object: KubeObject): number | undefined;
  writeSpecReplicas(object: KubeObject, replicas: number): void;
  readStatusReplicas(object: KubeObject): number;
  /** Label selector of the scaled pods as text, '' for none. */
  readSelector(object: KubeObject): string;
  /**
   * Custom resources: where the replicas are, for error texts. An object without replicas cannot be read as a Scale,
   * but given some through it; the object's own rules check what is written.
   */
  readonly specReplicasPath?: string;
  /**
   * Where the replicas are in each served version, by apiVersion, for managedFields. Default: spec.replicas in all
   * versions of the group.
   */
  readonly replicasPaths?: ReplicasPaths;
}

/**
 * The `scale` subresource over a store's objects: get, update and patch of an autoscaling/v1 Scale that stands for
 * their replicas. Who owns the replicas is translated between the two (ScaleREST of
 * pkg/registry/apps/deployment/storage and of apiextensions, 1.36).
 */
export function createScaleStorage(store: Store, access: ScaleAccess): RESTStorage {
  return new ScaleStorage(store, access);
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const replicasPath = FieldPath.of('spec', 'replicas');

/** Stands for replicas that the object does not have, while a Scale is being updated. */
const unsetReplicas = -2_147_483_648;

/** How the Scale of a custom resource prints (tableconvertor of apiextensions, 1.36). */
const customScaleTable: TableConvertor = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
    { name: 'Desired', type: 'integer', format: '', description: 'Number of desired replicas', priority: 0 },
    { name: 'Available', type: 'integer', format: '', description: 'Number of actual replicas', priority: 0 },
    { name: 'Age', type: 'date', format: '', description: createdDescription, priority: 0 },
  ],
  row: (scale) => ({
    cells: [
      scale.metadata?.name ?? '',
      specReplicas(scale),
      (scale['status'] as { replicas?: number } | undefined)?.replicas ?? 0,
      ageSince(scale.metadata?.creationTimestamp),
    ],
  }),
};

/** How the Scale of a built-in resource prints (printers/internalversion, 1.36). */
const scaleTable: TableConvertor = {
  ...customScaleTable,
  columns: [
    { name: 'Name', type: 'string', format: '', description: nameDescription, priority: 0 },
    {
      name: 'Desired',
      type: 'integer',
      format: '',
      description: 'replicas is the desired number of instances for the scaled object.',
      priority: 0,
    },
    {
      name: 'Available',
      type: 'integer',
      format: '',
      description: 'replicas is the actual number of observed instances of the scaled object.',
      priority: 0,
    },
    { name: 'Age', type: 'string', format: '', description: createdDescription, priority: 0 },
  ],
};

class ScaleStorage implements RESTStorage {
  readonly #store: Store;
  readonly #access: ScaleAccess;
  readonly #replicasPaths: ReplicasPaths;
  readonly kind = scaleKind.kind;
  readonly namespaced: boolean;
  readonly singularName = '';
  readonly table: TableConvertor;

  constructor(store: Store, access: ScaleAccess) {
    this.#store = store;
    this.#access = access;
    this.namespaced = store.namespaced;
    this.table = access.specReplicasPath === undefined ? scaleTable : customScaleTable;
    const { group, scheme } = store.spec;
    this.#replicasPaths =
      access.replicasPaths ??
      new Map(scheme.versions(group).map((version) => [formatGroupVersion({ group, version }), ['spec', 'replicas']]));
  }

  groupVersionKind(): GroupVersionKind {
    return scaleKind;
  }

  acceptsGroupVersion({ group, version }: GroupVersion): boolean {
    return group === scaleKind.group && version === scaleKind.version;
  }

  async get(context: RESTContext, name: string, options: GetOptions): Promise<RESTResult> {
    const record = await this.#store.get(context, name, options);
    const object = await this.#store.toMemoryVersion(record.object());
    const path = this.#access.specReplicasPath;
    if (path !== undefined && this.#access.readSpecReplicas(object) === undefined)
      throw internalError(`the spec replicas field ${goQuote(path)} does not exist`);
    return this.#scaleOf(object);
  }

  async update(
    context: RESTContext,
    name: string,
    info: UpdatedObjectInfo,
    options: ValidatedUpdateOptions,
  ): Promise<{ readonly result: RESTResult; readonly created: boolean }> {
    const { apiGroup: group, apiVersion: version } = context.request.requestInfo;
    const scaleInfo: UpdatedObjectInfo = {
      preconditions: info.preconditions,
      updatedObject: async (call, old) => {
        const object = copyObject(old);
        const metadata = ensureMeta(object);
        const owners = new ScaleHandler(
          metadata.managedFields,
          formatGroupVersion({ group, version }),
          this.#replicasPaths,
        );
        const current = this.#scaleOf(object, unsetReplicas);
        const entries = owners.toSubresource();
        if (entries !== undefined) ensureMeta(current).managedFields = entries;
        const scale = await info.updatedObject(call, current);
        this.#check(scale, metadata.name ?? name);
        const { managedFields, resourceVersion = '', uid } = ensureMeta(scale);
        // Custom resources take any: theirs is what the object has.
        if (this.#access.specReplicasPath === undefined && uid !== undefined && uid !== '')
          refuseUnmetPreconditions({ group, resource: `${this.#store.spec.plural}/scale` }, metadata, { uid });
        if (resourceVersion !== '') metadata.resourceVersion = resourceVersion;
        this.#access.writeSpecReplicas(object, specReplicas(scale));
        const updated = owners.toParent(managedFields);
        if (updated === undefined) delete metadata.managedFields;
        else metadata.managedFields = updated;
        return object;
      },
    };
    const { result } = await this.#store.update(context, name, scaleInfo, {
      ...options,
      forceAllowCreate: false,
      validateCreate: (object) => options.validateCreate(this.#scaleOf(object)),
      validateUpdate: (object, old) => options.validateUpdate(this.#scaleOf(object), this.#scaleOf(old)),
    });
    return {
      result: this.#scaleOf(await this.#store.toMemoryVersion(isRecord(result) ? result.object() : result)),
      created: false,
    };
  }

  /** @throws StatusError Invalid or BadRequest */
  #check(scale: KubeObject, name: string): void {
    const path = this.#access.specReplicasPath;
    if (path !== undefined) {
      if (specReplicas(scale) === unsetReplicas)
        throw badRequest(`the spec replicas field ${goQuote(path)} cannot be empty`);
      return;
    }
    const errors = [
      ...validateObjectMeta(ensureMeta(scale), { namespaced: true, validateName: nameIsDNSSubdomain }),
      ...validateFinalizerNames(ensureMeta(scale)),
    ];
    const replicas = specReplicas(scale);
    if (replicas < 0) errors.push(invalidValue(replicasPath, replicas, 'must be greater than or equal to 0'));
    if (errors.length > 0) throw invalid({ group: scaleKind.group, kind: scaleKind.kind }, name, errors);
  }

  /** The Scale of an object; managedFields are the object's own affair. */
  #scaleOf(object: KubeObject, unset?: number): KubeObject {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata ?? {};
    const replicas =
      this.#access.readSpecReplicas(object) ?? (this.#access.specReplicasPath === undefined ? undefined : unset);
    const selector = this.#access.readSelector(object);
    return {
      kind: scaleKind.kind,
      apiVersion: 'autoscaling/v1',
      metadata: {
        ...(name === undefined ? {} : { name }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        creationTimestamp: creationTimestamp ?? null,
      },
      spec: replicas === undefined || replicas === 0 ? {} : { replicas },
      status: { replicas: this.#access.readStatusReplicas(object), ...(selector === '' ? {} : { selector }) },
    };
  }
}

function specReplicas(scale: KubeObject): number {
  return (scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0;
}
