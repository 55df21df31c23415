import { messageOf } from '../errors/message-of.ts';
import { badRequest, unclassifiedError } from '../errors/constructors.ts';
import { StatusError } from '../errors/status.ts';
import type { GroupVersionKind, JSONValue, KubeObject, ManagedFieldsEntry } from '../object/object.ts';
import type { Clock } from '../meta/time.ts';
import { formatTime } from '../meta/time.ts';
import { copyDecoded, wasEmptied } from '../object/emptied.ts';
import { compareTyped } from './compare.ts';
import { ApplyConflicts, conflictStatus, conflictsOutside } from './conflicts.ts';
import type { FieldFilter } from './field-filter.ts';
import { fits } from './fits.ts';
import { compileFilter, leftOutBy } from './field-filter.ts';
import { difference, emptySet, fieldSetOf, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { AppliedSets } from './applied-sets.ts';
import { LatestSets } from './latest-sets.ts';
import { KUBECTL, lastApplied, lastAppliedObject, setLastApplied } from './last-applied.ts';
import { hasManagedFields } from './given-managers.ts';
import { decodeManaged, emptyManaged, encodeManaged, managerId } from './managed.ts';
import type { Managed } from './managed.ts';
import { mayNotFit } from './may-not-fit.ts';
import { Merger } from './merger.ts';
import { newFieldsText } from './new-fields.ts';
import { cloneJSON } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { shareJSON } from '../serializer/json/shared.ts';
import { checkedFieldSet, toFieldSet } from './to-field-set.ts';
import { noPause, type Pause } from '../limits/pause.ts';
import { TypedError } from './typed-error.ts';
import { capUpdateManagers } from './update-cap.ts';
import type { ReleaseAge } from '../validation/release-age.ts';
import { validateTyped } from './validate.ts';
import type { TypedObject, Versions } from './version-converter.ts';
import { VersionConverter } from './version-converter.ts';

/** What a field manager knows of its resource. */
export interface FieldManagerOptions extends Versions {
  /** The kind and version that requests are in. */
  readonly gvk: GroupVersionKind;
  /** `''` for the resource itself. */
  readonly subresource?: string;
  /** By apiVersion: the fields that this (sub)resource resets, or the only ones that it manages. */
  readonly resetFields?: ReadonlyMap<string, FieldFilter>;
  /**
   * Reads plain data as an object of the kind: canonical values, unknown fields dropped, defaults set. Applied
   * to the result of an apply, which shares what is unchanged with the live object. Throws with the decoder's text.
   */
  readonly decode?: (object: KubeObject, live: KubeObject) => KubeObject;
  /**
   * Objects may not fit the schema, as custom ones may that are older than it: then ownership cannot be told. Others
   * may only where they hold managed fields of templates, or items without their keys.
   */
  readonly unfit?: boolean;
  readonly clock: Clock;
  /** Which managed fields can be read. Default: those of the checked-in tables' release. */
  readonly release?: ReleaseAge | undefined;
}

/** Who applies, and whether conflicts are overridden. */
export interface ApplyOptions {
  readonly manager: string;
  readonly force: boolean;
  /** Default: none. */
  readonly pause?: Pause;
}

/** Owns what a new manager would else not know of, because the object was made before anybody applied. */
const BEFORE_FIRST_APPLY = 'before-first-apply';
/** Stands for the manager of the running update, to tell what is new from what it owned before. */
const CURRENT = 'current-operation';

/** Fields that nobody owns, with all that is in them. */
const unownedFields: FieldSet = fieldSetOf(
  ['f:apiVersion'],
  ['f:kind'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

/** Fields that nobody owns. Of metadata only the object itself. */
const unowned: FieldSet = union(unownedFields, fieldSetOf(['f:metadata']));

/**
 * Keeps `metadata.managedFields` and merges applied configurations, for one version of one resource or subresource
 * (apimachinery's util/managedfields FieldManager).
 *
 * Objects are of the version in `gvk`. Arguments are left as they are; results may share parts with them.
 */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #apiVersion: string;
  readonly #subresource: string;
  readonly #converter: VersionConverter;
  readonly #merger: Merger;
  readonly #applied = new AppliedSets(unowned);
  readonly #updated = new LatestSets();
  /** What nobody owns and what this (sub)resource resets. */
  readonly #leftOut: FieldSet;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#apiVersion = options.gvk.group === '' ? options.gvk.version : `${options.gvk.group}/${options.gvk.version}`;
    this.#subresource = options.subresource ?? '';
    this.#converter = new VersionConverter(options);
    this.#leftOut = leftOutOf(options.resetFields?.get(this.#apiVersion));
    this.#merger = new Merger(
      this.#converter,
      new Map([...(options.resetFields ?? [])].map(([apiVersion, filter]) => [apiVersion, compileFilter(filter)])),
    );
  }

  /**
   * The new object of a create, update or patch with managedFields brought up to date; `live` is `undefined` for
   * a create. Never fails: when ownership cannot be told, the object comes back without managedFields.
   */
  async update(live: KubeObject | undefined, object: KubeObject, manager: string): Promise<KubeObject> {
    const bare = withManagedFields(object, undefined);
    try {
      if (this.#mayNotFit(bare) && !this.#fits(bare)) return bare;
      if (live !== undefined && this.#mayNotFit(live) && !this.#fits(withManagedFields(live, undefined))) return bare;
      const managed = this.#managedForUpdate(live, object);
      const created = live === undefined && managed.fields.size === 0 ? this.#created(bare, manager) : undefined;
      if (created !== undefined) return withManagedFields(bare, created.length === 0 ? undefined : created);
      const updated =
        managed.fields.size === 0 && isStored(live) ? managed : await this.#updateManaged(live, bare, managed, manager);
      return withManagedFields(bare, encodeManaged(updated));
    } catch (error) {
      if (error instanceof StatusError || error instanceof TypedError) return bare;
      throw error;
    }
  }

  /**
   * The result of a server-side apply; `live` is `undefined` for a create. `applied` is the configuration as
   * decoded from YAML or JSON, neither defaulted nor converted. Where there is a `decode`, the result shares nothing
   * with `live`.
   *
   * @throws StatusError 409 for conflicts, 400 for a configuration of another kind or with managedFields, 500 for
   *   one that does not fit the schema
   */
  async apply(live: KubeObject | undefined, applied: KubeObject, options: ApplyOptions): Promise<KubeObject> {
    const managed = decodeOr500(live?.metadata?.managedFields);
    const applyKind = kindText(applied);
    if (applyKind !== gvkText(this.#options.gvk)) throw badRequest(`invalid object type: ${applyKind}`);
    try {
      const [object, after] = await this.#applyAsKubectl(live, applied, managed, options);
      await options.pause?.();
      if (options.manager === KUBECTL && lastApplied(object) !== undefined) setLastApplied(object, applied);
      return withManagedFields(object, encodeManaged(after));
    } catch (error) {
      if (error instanceof ApplyConflicts) throw conflictStatus(error.conflicts);
      if (error instanceof TypedError) throw failure('failed to convert merged object to last applied version', error);
      throw error;
    }
  }

  #mayNotFit(object: KubeObject): boolean {
    const { schemaFor, unfit } = this.#options;
    if (unfit === true) return true;
    const schema = schemaFor(this.#apiVersion);
    return schema !== undefined && schema !== null && mayNotFit(schema, object);
  }

  /** The managers that an update starts from: as the request has them, unless it leaves them out or cannot set them. */
  #managedForUpdate(live: KubeObject | undefined, object: KubeObject): Managed {
    const { release } = this.#options;
    const fromLive = (): Managed => {
      try {
        return decodeManaged(live?.metadata?.managedFields, release);
      } catch {
        return emptyManaged();
      }
    };
    if (this.#subresource !== '') return fromLive();
    const entries = object.metadata?.managedFields;
    if (isReset(entries) || wasEmptied(object.metadata, 'managedFields')) return emptyManaged();
    try {
      const managed = decodeManaged(entries, release);
      return managed.fields.size === 0 ? fromLive() : managed;
    } catch {
      return fromLive();
    }
  }

  async #updateManaged(
    live: KubeObject | undefined,
    object: KubeObject,
    managed: Managed,
    manager: string,
  ): Promise<Managed> {
    const id = this.#id(manager, 'Update');
    const fields = await this.#merger.update({
      live: this.#typed(live ?? {}),
      updated: this.#typed(object),
      managers: managed.fields,
      manager: CURRENT,
    });
    const times = new Map(managed.times);
    const current = fields.get(CURRENT);
    if (current !== undefined) {
      fields.delete(CURRENT);
      const set = difference(current.set, unowned);
      if (set.size > 0) {
        const own = union(fields.get(id)?.set ?? emptySet, set);
        // What it owned before, here or in the last object that it wrote, has its wire form already.
        fields.set(id, { ...current, set: this.#updated.latest(id, own, managed.fields.get(id)?.set) });
        times.set(id, formatTime(this.#options.clock.now()));
      }
    }
    const updated = { fields, times };
    capUpdateManagers(updated);
    return updated;
  }

  /** The entries of a new object, when they can be told without comparing. */
  #created(object: KubeObject, manager: string): ManagedFieldsEntry[] | undefined {
    const leftOut = this.#leftOut;
    const { atom } = this.#typed(object);
    // Metadata that is there in every object is no field of its own.
    if (atom.map?.fields.get('metadata')?.zero === undefined) return undefined;
    const text = newFieldsText(atom, object as JSONValue, leftOut);
    if (text === undefined) return undefined;
    return text === ''
      ? []
      : [
          {
            manager: manager === '' ? 'unknown' : manager,
            operation: 'Update',
            apiVersion: this.#apiVersion,
            time: formatTime(this.#options.clock.now()),
            fieldsType: 'FieldsV1',
            fieldsV1: shareJSON(text),
            ...(this.#subresource === '' ? {} : { subresource: this.#subresource }),
          },
        ];
  }

  /** An apply by kubectl may override what client-side apply has set, as far as nobody changed it since. */
  async #applyAsKubectl(
    live: KubeObject | undefined,
    applied: KubeObject,
    managed: Managed,
    options: ApplyOptions,
  ): Promise<[KubeObject, Managed]> {
    try {
      return await this.#apply(live, applied, managed, options);
    } catch (error) {
      if (!(error instanceof ApplyConflicts) || options.manager !== KUBECTL || live === undefined) throw error;
      const allowed = this.#ownedByLastApplied(live);
      if (allowed === undefined) throw error;
      const left = conflictsOutside(error.conflicts, allowed);
      if (left.length > 0) throw new ApplyConflicts(left);
      return this.#apply(live, applied, managed, { ...options, force: true });
    }
  }

  #ownedByLastApplied(live: KubeObject): FieldSet | undefined {
    const config = lastAppliedObject(live, this.#apiVersion);
    if (config === undefined || kindText(config) !== gvkText(this.#options.gvk)) return undefined;
    try {
      const typed = this.#typed(config);
      validateTyped(typed.atom, config);
      const { added, modified, removed } = compareTyped(typed.atom, config, live as JSONValue);
      return difference(difference(difference(toFieldSet(typed.atom, config), modified), added), removed);
    } catch (error) {
      if (error instanceof TypedError) return undefined;
      throw error;
    }
  }

  async #apply(
    live: KubeObject | undefined,
    applied: KubeObject,
    before: Managed,
    options: ApplyOptions,
  ): Promise<[KubeObject, Managed]> {
    const { pause = noPause } = options;
    let managed = before;
    let liveObject: KubeObject = live ?? { apiVersion: this.#apiVersion, kind: this.#options.gvk.kind };
    if (managed.fields.size === 0) {
      liveObject = withManagedFields(liveObject, undefined);
      // Whatever the object has so far belongs to nobody yet.
      managed = await this.#updateManaged(undefined, live === undefined ? {} : liveObject, managed, BEFORE_FIRST_APPLY);
    }
    if (hasManagedFields(applied)) throw badRequest('metadata.managedFields must be nil');
    await pause();
    const config = this.#typed(applied);
    const id = this.#id(options.manager, 'Apply');
    const last = managed.fields.get(id)?.set;
    const configured =
      checkedFieldSet(config.atom, config.value, this.#applied.like(id, last)) ?? refused(config, applied);
    await pause();
    const { value, managers } = await this.#merger.apply({
      live: this.#typed(liveObject),
      config,
      set: configured,
      managers: managed.fields,
      manager: id,
      force: options.force,
      pause,
    });
    await pause();
    const own = managers.get(id);
    if (own !== undefined) {
      const set = this.#applied.owned(id, own.set, last);
      if (set.size === 0) managers.delete(id);
      else managers.set(id, { ...own, set });
    }
    const times = new Map(managed.times);
    const after: Managed = { fields: managers, times };
    await pause();
    if (value === undefined)
      return [cloneJSON(withManagedFields(liveObject, undefined) as JSONObject) as KubeObject, after];
    times.set(id, formatTime(this.#options.clock.now()));
    const merged = value as KubeObject;
    const unreadable = applied.metadata?.managedFields ?? undefined;
    // They are none, but what is made of the object finds them, and says what is wrong with them.
    if (unreadable !== undefined) this.#decoded(withManagedFields(merged, unreadable), liveObject, applied);
    return [this.#decoded(withManagedFields(merged, undefined), liveObject, applied), after];
  }

  #decoded(object: KubeObject, live: KubeObject, applied: KubeObject): KubeObject {
    if (this.#options.decode === undefined) return object;
    try {
      return this.#options.decode(object, live);
    } catch (error) {
      if (error instanceof StatusError) throw error;
      throw failure(
        `failed to convert new object (${objectText(applied)}) to proper version: unable to convert ` +
          `unstructured object to ${gvkText(this.#options.gvk)}`,
        error,
      );
    }
  }

  #fits(object: KubeObject): boolean {
    const { atom, value } = this.#typed(object);
    return fits(atom, value);
  }

  #typed(object: KubeObject): TypedObject {
    const typed = this.#converter.typed(object as JSONValue, this.#apiVersion);
    if (typed === undefined)
      throw new StatusError({
        status: 'Failure',
        code: 500,
        message: `no corresponding type for ${gvkText(this.#options.gvk)}`,
      });
    return typed;
  }

  #id(manager: string, operation: 'Apply' | 'Update'): string {
    return managerId({
      manager: manager === '' ? 'unknown' : manager,
      operation,
      apiVersion: this.#apiVersion,
      subresource: this.#subresource,
    });
  }
}

function leftOutOf(filter: FieldFilter | undefined): FieldSet {
  return filter === undefined ? unownedFields : union(unownedFields, leftOutBy(filter));
}

/** Whether the object comes from the store; what is being created has no uid. */
function isStored(object: KubeObject | undefined): boolean {
  return (object?.metadata?.uid ?? '') !== '';
}

/** An empty list, or a list of one empty entry, asks for a fresh start. */
function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (!Array.isArray(entries)) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] as object).length === 0);
}

function withManagedFields(object: KubeObject, managedFields: ManagedFieldsEntry[] | undefined): KubeObject {
  const { metadata } = object;
  if (metadata === undefined || metadata === null)
    return managedFields === undefined ? object : { ...object, metadata: { managedFields } };
  if (metadata.managedFields === managedFields) return object;
  // What was there without entries tells some rules that it changed.
  const copy = copyDecoded(object);
  if (managedFields !== undefined) copy.metadata = { ...metadata, managedFields };
  else {
    const { managedFields: _managedFields, ...rest } = metadata;
    copy.metadata = rest;
  }
  return copy;
}

/** Says why a configuration does not fit. */
function refused(config: TypedObject, applied: KubeObject): FieldSet {
  try {
    validateTyped(config.atom, config.value);
  } catch (error) {
    throw failure(`failed to create typed patch object (${objectText(applied)})`, error);
  }
  return toFieldSet(config.atom, config.value);
}

function decodeOr500(entries: readonly ManagedFieldsEntry[] | undefined): Managed {
  try {
    return decodeManaged(entries);
  } catch (error) {
    throw failure('failed to decode managed fields', error);
  }
}

function failure(what: string, error: unknown): StatusError {
  return unclassifiedError(`${what}: ${messageOf(error)}`, { cause: error });
}

function gvkText(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}

/** The object's own kind, as Go prints it; of an apiVersion that cannot be parsed nothing is left. */
function kindText(object: KubeObject): string {
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const kind = typeof object.kind === 'string' ? object.kind : '';
  const parts = apiVersion.split('/');
  if (parts.length > 2) return '/, Kind=';
  return gvkText({ group: parts.length === 2 ? (parts[0] ?? '') : '', version: parts.at(-1) ?? '', kind });
}

/** `namespace/name; group/version, Kind=kind`. */
function objectText(object: KubeObject): string {
  const { namespace, name } = object.metadata ?? {};
  return (
    `${typeof namespace === 'string' ? namespace : ''}/${typeof name === 'string' ? name : ''}; ` +
    `${kindText(object)}`
  );
}
