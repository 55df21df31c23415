import { conflict, invalid, invalidValue } from '@kubechain/apimachinery';
import type { GroupVersion, GroupVersionKind, KubeObject } from '@kubechain/apimachinery';
import type { GetOptions, RESTContext, RESTResult, RESTStorage, UpdatedObjectInfo, UpdateOptions, ValidateObject, ValidateObjectUpdate } from '../rest/storage.ts';
import { isRecord } from '../rest/result.ts';
import type { Store } from './store.ts';

/** How the replicas of an object are read and written. Objects are private copies in memory version. */
export interface ScaleAccess {
  /** Desired replicas; undefined where the object does not say (custom resources answer NotFound then). */
  readSpecReplicas(object: KubeObject): number | undefined;
  writeSpecReplicas(object: KubeObject, replicas: number): void;
  readStatusReplicas(object: KubeObject): number;
  /** Label selector of the scaled pods as text, '' for none. */
  readSelector(object: KubeObject): string;
  /** What to say when the object has no replicas to scale. @throws StatusError */
  refuse?(object: KubeObject, name: string): never;
}

/**
 * The `scale` subresource over a store's objects: get, update and patch of an autoscaling/v1 Scale that stands for
 * their replicas (ScaleREST of pkg/registry/apps/deployment/storage and of apiextensions, 1.36).
 */
export function createScaleStorage(store: Store, access: ScaleAccess): RESTStorage {
  return new ScaleStorage(store, access);
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

class ScaleStorage implements RESTStorage {
  readonly #store: Store;
  readonly #access: ScaleAccess;
  readonly kind = scaleKind.kind;
  readonly namespaced: boolean;
  readonly singularName = '';

  constructor(store: Store, access: ScaleAccess) {
    this.#store = store;
    this.#access = access;
    this.namespaced = store.namespaced;
  }

  groupVersionKind(): GroupVersionKind { return scaleKind; }

  acceptsGroupVersion({ group, version }: GroupVersion): boolean { return group === scaleKind.group && version === scaleKind.version; }

  async get(context: RESTContext, name: string, options: GetOptions): Promise<RESTResult> {
    const record = await this.#store.get(context, name, options);
    return this.#scaleOf(await this.#store.toMemoryVersion(record.object()));
  }

  async update(context: RESTContext, name: string, info: UpdatedObjectInfo, validateCreate: ValidateObject, validateUpdate: ValidateObjectUpdate, options: UpdateOptions): Promise<{ readonly result: RESTResult; readonly created: boolean }> {
    const scaleInfo: UpdatedObjectInfo = {
      preconditions: info.preconditions,
      updatedObject: async (call, old) => {
        const object = structuredClone(old);
        const current = this.#scaleOf(object);
        const scale = await info.updatedObject(call, current);
        this.#check(scale, name, object);
        const resourceVersion = scale.metadata?.resourceVersion;
        if (resourceVersion !== undefined && resourceVersion !== '' && object.metadata !== undefined) object.metadata.resourceVersion = resourceVersion;
        if (scale.metadata?.managedFields !== undefined && object.metadata !== undefined) object.metadata.managedFields = scale.metadata.managedFields;
        this.#access.writeSpecReplicas(object, specReplicas(scale));
        return object;
      },
    };
    const { result } = await this.#store.update(context, name, scaleInfo, (object) => validateCreate(this.#scaleOf(object)), (object, old) => validateUpdate(this.#scaleOf(object), this.#scaleOf(old)), { ...options, forceAllowCreate: false });
    return { result: this.#scaleOf(await this.#store.toMemoryVersion(isRecord(result) ? result.object() : result)), created: false };
  }

  /** @throws StatusError Invalid, Conflict */
  #check(scale: KubeObject, name: string, object: KubeObject): void {
    const metadata = scale.metadata ?? {};
    const errors = [];
    if ((metadata.name ?? '') !== '' && metadata.name !== name) errors.push(invalidValue('metadata.name', metadata.name, 'must match the name of the scaled object'));
    if (specReplicas(scale) < 0) errors.push(invalidValue('spec.replicas', specReplicas(scale), 'must be greater than or equal to 0'));
    if (errors.length > 0) throw invalid({ group: scaleKind.group, kind: scaleKind.kind }, name, errors);
    if (metadata.uid !== undefined && metadata.uid !== '' && metadata.uid !== object.metadata?.uid) {
      throw conflict({ group: this.#store.spec.group, resource: this.#store.spec.plural }, name, `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${object.metadata?.uid ?? ''}`);
    }
  }

  #scaleOf(object: KubeObject): KubeObject {
    const { name, namespace, uid, resourceVersion, creationTimestamp, managedFields } = object.metadata ?? {};
    const replicas = this.#access.readSpecReplicas(object);
    if (replicas === undefined) this.#access.refuse?.(object, name ?? '');
    const selector = this.#access.readSelector(object);
    return {
      kind: scaleKind.kind, apiVersion: 'autoscaling/v1',
      metadata: {
        ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }), creationTimestamp: creationTimestamp ?? null, ...(managedFields === undefined ? {} : { managedFields }),
      },
      spec: replicas === undefined || replicas === 0 ? {} : { replicas },
      status: { replicas: this.#access.readStatusReplicas(object), ...(selector === '' ? {} : { selector }) },
    };
  }
}

function specReplicas(scale: KubeObject): number {
  return (scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0;
}
