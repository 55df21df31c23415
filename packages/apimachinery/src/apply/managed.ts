import { FormatError } from '../errors/format-error.ts';
import { compareText, goQuote } from '../errors/go-format.ts';
import type { ManagedFieldsEntry } from '../object/object.ts';
import type { ReleaseAge } from '../validation/release-age.ts';
import type { FieldSet } from './field-set.ts';
import { encodeValue } from './path-element.ts';
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts';

/** What one manager owns, as of one version of the kind. Immutable. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** Owned by apply, not by update. */
  readonly applied: boolean;
}

/**
 * Identifies a manager: JSON of its name, operation, subresource and, for updates, version. It is also how the
 * reference sorts managers.
 */
export type ManagerId = string;

/** The managers of an object. */
export interface Managed {
  readonly fields: Map<ManagerId, VersionedSet>;
  /** RFC 3339, seconds; a manager that never changed the object has none. */
  readonly times: Map<ManagerId, string>;
}

export function emptyManaged(): Managed {
  return { fields: new Map(), times: new Map() };
}

/** What a {@link ManagerId} says. */
export interface ManagerInfo {
  manager?: string;
  operation?: string;
  /** Of updates only: an applier is one manager in all versions. */
  apiVersion?: string;
  subresource?: string;
}

export function managerId(info: ManagerInfo): ManagerId {
  let id = '';
  const add = (name: keyof ManagerInfo): void => {
    const value = info[name];
    if (value !== undefined && value !== '') id += `${id === '' ? '{' : ','}"${name}":${encodeValue(value)}`;
  };
  add('manager');
  add('operation');
  if (info.operation !== 'Apply') add('apiVersion');
  add('subresource');
  return id === '' ? '{}' : `${id}}`;
}

export function managerInfo(id: ManagerId): ManagerInfo {
  return JSON.parse(id) as ManagerInfo;
}

/**
 * Reads `metadata.managedFields`.
 * @throws FormatError with upstream's text for entries that are not valid
 */
export function decodeManaged(entries: readonly ManagedFieldsEntry[] | undefined, release?: ReleaseAge): Managed {
  const managed = emptyManaged();
  for (const [i, entry] of (entries ?? []).entries()) {
    if (entry.operation !== 'Apply' && entry.operation !== 'Update')
      throw new FormatError('operation must be `Apply` or `Update`');
    if (entry.apiVersion === undefined || entry.apiVersion === '')
      throw new FormatError('apiVersion must not be empty');
    if (entry.apiVersion.split('/').length > 2 && release?.since('1.37') === true)
      throw new FormatError(`unexpected GroupVersion string: ${entry.apiVersion}`);
    const fieldsType: string = entry.fieldsType ?? '';
    if (fieldsType === '') throw new FormatError(`missing fieldsType in managed fields entry ${i}`);
    if (fieldsType !== 'FieldsV1')
      throw new FormatError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${i}`);
    const id = managerId(entry);
    const set = fromFieldsV1(entry.fieldsV1);
    managed.fields.set(id, { set, apiVersion: entry.apiVersion, applied: entry.operation === 'Apply' });
    if (typeof entry.time === 'string') managed.times.set(id, entry.time);
    else managed.times.delete(id);
  }
  return managed;
}

/** Writes `metadata.managedFields`, in upstream's order; `undefined` when nobody manages anything. */
export function encodeManaged(managed: Managed): ManagedFieldsEntry[] | undefined {
  if (managed.fields.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const [id, versioned] of managed.fields) {
    const info = managerInfo(id);
    const entry: ManagedFieldsEntry = {};
    if (info.manager !== undefined) entry.manager = info.manager;
    const operation = versioned.applied ? 'Apply' : info.operation;
    if (operation === 'Apply' || operation === 'Update') entry.operation = operation;
    entry.apiVersion = versioned.apiVersion;
    const time = managed.times.get(id);
    if (time !== undefined) entry.time = time;
    entry.fieldsType = 'FieldsV1';
    entry.fieldsV1 = toFieldsV1(versioned.set);
    if (info.subresource !== undefined) entry.subresource = info.subresource;
    entries.push(entry);
  }
  return entries.sort(compareEntries);
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation ?? '', b.operation ?? '') ||
    compareTimes(a.time, b.time) ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Compares times by their text, which works because all are UTC of one length; no time counts as 1970. */
export function compareTimes(a: string | undefined, b: string | undefined): number {
  return compareText(a ?? EPOCH, b ?? EPOCH);
}

const EPOCH = '1970-01-01T00:00:00Z';
