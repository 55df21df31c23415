import { isJSONObject } from './json-object.ts';
import { isPlainObject } from './is-plain-object.ts';
import type { JSONValue } from './object.ts';

type EmptiedKind = 'map' | 'list' | 'bytes';

/**
 * Maps, lists and bytes that a body gave without entries, by the object that they were left out of: Go keeps them
 * until an object is written, and error texts and some rules tell them from ones that are not there. Copies of an
 * object do not have them any more.
 */
const emptied = new WeakMap<object, Map<string, EmptiedKind>>();

/** Remembers that the map, list or bytes `name` of an object were there, and empty, when it was decoded. */
export function noteEmptied(object: object, name: string, kind: EmptiedKind): void {
  const names = emptied.get(object);
  if (names === undefined) emptied.set(object, new Map([[name, kind]]));
  else names.set(name, kind);
}

/** From now on the member `name` of an object was never there. */
export function forgetEmptied(object: object, name: string): void {
  emptied.get(object)?.delete(name);
}

/** Whether the member `name` of an object was there, and empty, when the object was decoded. */
export function wasEmptied(object: object | undefined, name: string): boolean {
  return object !== undefined && emptied.get(object)?.has(name) === true;
}

/** A map or list as Go prints it: one that is not there is null. */
export function printed<T extends object, K extends keyof T & string>(
  object: T | undefined,
  name: K,
): NonNullable<T[K]> | null {
  if (object === undefined) return null;
  const kind = emptied.get(object)?.get(name);
  return (
    object[name] ??
    (kind === undefined ? null : ((kind === 'map' ? {} : kind === 'list' ? [] : '') as NonNullable<T[K]>))
  );
}

/**
 * Whether a list, map or bytes are there as Go sees it (`!= nil`): with entries, or decoded from a body that gave them
 * without.
 */
export function isGiven<T extends object>(object: T | undefined, name: keyof T & string): boolean {
  return object !== undefined && ((object[name] !== undefined && object[name] !== null) || wasEmptied(object, name));
}

/** Names of the lists, maps and bytes of an object that a body gave without entries. */
export function emptiedFields(object: object): readonly string[] {
  const names = emptied.get(object);
  return names === undefined
    ? []
    : [...names.keys()].filter((name) => (object as Readonly<Record<string, unknown>>)[name] === undefined);
}

/** Whether anything in a value was there without entries when it was decoded. */
export function hasEmptied(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasEmptied);
  return isPlainObject(value) && (emptiedFields(value).length > 0 || Object.values(value).some(hasEmptied));
}

/**
 * Whether the same lists, maps and bytes of two equal values were there without entries, as Go's reflect.DeepEqual
 * asks.
 */
export function sameEmptied(a: JSONValue | undefined, b: JSONValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.every((item, i) => sameEmptied(item, b[i]));
  if (!isJSONObject(a) || !isJSONObject(b)) return true;
  const [before, after] = [emptied.get(a), emptied.get(b)];
  if (before !== undefined || after !== undefined) {
    const [these, those] = [emptiedFields(a), emptiedFields(b)];
    if (these.length !== those.length || !these.every((name) => those.includes(name))) return false;
  }
  for (const key in a) if (typeof a[key] === 'object' && !sameEmptied(a[key], b[key])) return false;
  return true;
}

/** A copy of an object alone, whose members it shares, that keeps what was there without entries. */
export function copyDecoded<T extends object>(object: T): T {
  const copy = { ...object };
  for (const [name, kind] of emptied.get(object) ?? []) noteEmptied(copy, name, kind);
  return copy;
}

/** A deep copy that keeps what was there without entries. */
export function cloneDecoded<T>(value: T): T {
  if (Array.isArray(value)) return value.map(cloneDecoded) as T;
  if (!isPlainObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cloneDecoded(member)]));
  for (const [name, kind] of emptied.get(value) ?? []) noteEmptied(copy, name, kind);
  return copy as T;
}
