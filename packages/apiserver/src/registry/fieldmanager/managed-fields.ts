import {
  FieldManager as VersionedFieldManager,
  cloneJSON,
  formatGroupVersion,
  fromUnstructured,
  gvkOf,
  noteEmptied,
  toWireForm,
  wasEmptied,
} from '@kubechain/apimachinery';
import type {
  Clock,
  FieldFilter,
  GroupVersion,
  GroupVersionKind,
  JSONObject,
  KubeObject,
  Pause,
  ReleaseAge,
  Schema,
  Scheme,
} from '@kubechain/apimachinery';
import type { RESTStorage } from '../rest/storage.ts';
import { copyObject } from '../rest/copy-object.ts';
import type { FieldManager } from './field-manager.ts';

export interface ManagedFieldsOptions {
  readonly scheme: Scheme;
  readonly storage: RESTStorage;
  /** Kind and version of requests. */
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly clock: Clock;
  /** Custom resources have no schema of Go's to read an applied object by. */
  readonly custom: boolean;
  /** Which managed fields can be read. Default: those of the checked-in tables' release. */
  readonly release?: ReleaseAge | undefined;
}

/**
 * The field manager of one (sub)resource in one served version, over a storage that keeps objects in memory version.
 */
export function createFieldManager(options: ManagedFieldsOptions): FieldManager {
  return new MemoryFieldManager(options);
}

class MemoryFieldManager implements FieldManager {
  readonly #scheme: Scheme;
  readonly #served: GroupVersion;
  readonly #memory: GroupVersion;
  readonly #sameVersion: boolean;
  readonly #custom: boolean;
  readonly #manager: VersionedFieldManager;

  constructor({ clock, custom, kind, release, scheme, storage, subresource }: ManagedFieldsOptions) {
    this.#scheme = scheme;
    this.#custom = custom;
    this.#served = kind;
    this.#memory = storage.memoryVersion ?? kind;
    this.#sameVersion = formatGroupVersion(this.#memory) === formatGroupVersion(kind);
    const schemaFor = (apiVersion: string): Schema | undefined => {
      const gvk = gvkOf({ apiVersion, kind: kind.kind });
      return knowsGroup(kind.group, gvk.group) ? scheme.kind(gvk)?.schema : undefined;
    };
    const resetFields = resetFieldsOf(storage, scheme, kind);
    this.#manager = new VersionedFieldManager({
      gvk: kind,
      subresource,
      clock,
      release,
      schemaFor,
      checkConverted: custom,
      unfit: custom,
      convert: (object, apiVersion) => scheme.convert(object, gvkOf({ apiVersion })),
      decode: (object, live) => this.#decode(object, kind, live),
      ...(resetFields === undefined ? {} : { resetFields }),
    });
  }

  async update(live: KubeObject, updated: KubeObject, manager: string): Promise<KubeObject> {
    const exists = (live.metadata?.uid ?? '') !== '';
    if (this.#sameVersion) return this.#manager.update(exists ? live : undefined, updated, manager);
    const servedLive = exists ? await this.#convert(live, this.#served) : undefined;
    const served = await this.#convert(updated, this.#served);
    if (served.metadata !== undefined && wasEmptied(updated.metadata, 'managedFields'))
      noteEmptied(served.metadata, 'managedFields', 'list');
    const { metadata } = await this.#manager.update(servedLive, served, manager);
    const own = (updated.metadata ??= {});
    if (metadata?.managedFields === undefined) delete own.managedFields;
    else own.managedFields = metadata.managedFields;
    return updated;
  }

  async apply(
    live: KubeObject,
    patch: KubeObject,
    options: { readonly manager: string; readonly force: boolean; readonly pause?: Pause },
  ): Promise<KubeObject> {
    const exists = (live.metadata?.uid ?? '') !== '';
    const servedLive = !exists ? undefined : this.#sameVersion ? live : await this.#convert(live, this.#served);
    const merged = await this.#manager.apply(servedLive, patch, options);
    const object = this.#sameVersion ? merged : await this.#scheme.convert(merged, this.#memory);
    if (this.#custom) this.#scheme.kind(gvkOf(object))?.noteMerged?.(object, patch);
    return object;
  }

  #convert(object: KubeObject, target: GroupVersion): KubeObject | Promise<KubeObject> {
    return this.#scheme.convert(copyObject(object), target);
  }

  /**
   * Reads what apply has merged as a request body is read: canonical, with defaults. A live object in the version
   * that it is kept in is so already. Custom resources are not pruned: unknown fields have been refused. Of their
   * metadata only what it may hold is kept.
   */
  #decode(object: KubeObject, kind: GroupVersionKind, live: KubeObject): KubeObject {
    const info = this.#scheme.kind(kind);
    const schema = info?.schema;
    const decoded =
      !this.#custom && schema?.kind === 'struct'
        ? // Not a copy, which would not know any more what was there without entries.
          Object.assign(
            fromUnstructured(object as JSONObject, schema, this.#sameVersion ? { known: live as JSONObject } : {})
              .object,
            { kind: kind.kind, apiVersion: formatGroupVersion(kind) },
          )
        : (cloneJSON(toWireForm(object) as JSONObject) as KubeObject);
    info?.repairMetadata?.(decoded);
    this.#scheme.applyDefaults(decoded);
    return decoded;
  }
}

/**
 * Whether what was managed in one group is known when an object is written in another. The reference reads its types
 * for the core group and for all others apart, so that managers of an Event in one are dropped by writes in the other.
 */
function knowsGroup(own: string, other: string): boolean {
  return (own === '') === (other === '');
}

/** The storage's reset fields in each version of the group. */
function resetFieldsOf(
  storage: RESTStorage,
  scheme: Scheme,
  kind: GroupVersionKind,
): ReadonlyMap<string, FieldFilter> | undefined {
  const fields = storage.resetFields;
  if (fields === undefined) return undefined;
  const filter = (paths: readonly string[]): FieldFilter => ({ without: paths.map((path) => path.split('.')) });
  if (!isList(fields)) return new Map([...fields].map(([apiVersion, paths]) => [apiVersion, filter(paths)]));
  return new Map(
    scheme.versions(kind.group).map((version) => [formatGroupVersion({ group: kind.group, version }), filter(fields)]),
  );
}

function isList(fields: NonNullable<RESTStorage['resetFields']>): fields is readonly string[] {
  return Array.isArray(fields);
}
