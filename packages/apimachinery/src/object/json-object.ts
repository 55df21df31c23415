import type { JSONValue } from './object.ts';
import { isPlainObject } from './is-plain-object.ts';

/** A JSON object. Keys come from users: read them with {@link Object.hasOwn} and write them with {@link setKey}. */
export type JSONObject = { [key: string]: JSONValue };

/** Whether a JSON value is an object (neither list nor null). */
export function isJSONObject(value: JSONValue | undefined): value is JSONObject {
  return isPlainObject(value);
}

/** Sets a key whatever its name: a plain assignment to `__proto__` would change the object's prototype. */
export function setKey(object: JSONObject, key: string, value: JSONValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** The value of an own key. */
export function getKey(object: JSONObject, key: string): JSONValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A copy that shares nothing but managed fields that are frozen, since many objects share them. */
export function cloneJSON<T extends JSONValue>(value: T): T {
  if (Array.isArray(value)) {
    const list = value.slice();
    for (let i = 0; i < list.length; i++) if (typeof list[i] === 'object') list[i] = cloneJSON(list[i] as JSONValue);
    return list as JSONValue as T;
  }
  if (!isJSONObject(value)) return value;
  // A spread keeps the layout; members set one by one would take twice as long.
  const source: JSONObject = value;
  const copy: JSONObject = { ...source };
  for (const key in source) {
    const member = source[key] as JSONValue;
    if (typeof member === 'object' && member !== null && (key !== 'fieldsV1' || !Object.isFrozen(member)))
      setKey(copy, key, cloneJSON(member));
  }
  return copy as T;
}

/** A copy as {@link cloneJSON} makes it; undefined where there is a null anywhere. */
export function cloneWithoutNull<T extends JSONValue>(value: T): T | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const list = value.slice();
    for (let i = 0; i < list.length; i++) {
      if (typeof list[i] !== 'object') continue;
      const item = cloneWithoutNull(list[i] as JSONValue);
      if (item === undefined) return undefined;
      list[i] = item;
    }
    return list as JSONValue as T;
  }
  if (!isJSONObject(value)) return value;
  const source: JSONObject = value;
  const copy: JSONObject = { ...source };
  for (const key in source) {
    const member = source[key] as JSONValue;
    if (typeof member !== 'object' || (key === 'fieldsV1' && Object.isFrozen(member))) continue;
    const own = cloneWithoutNull(member);
    if (own === undefined) return undefined;
    setKey(copy, key, own);
  }
  return copy as T;
}

/** Deep equality of JSON values; the order of keys does not count, `1` equals `1n`. */
export function equalJSON(a: JSONValue | undefined, b: JSONValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJSON(item, b[i]));
  }
  if (isJSONObject(a)) {
    if (!isJSONObject(b)) return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalJSON(a[key], b[key]))
    );
  }
  if (typeof a === 'bigint' || typeof b === 'bigint') return isNumeric(a) && isNumeric(b) && BigInt(a) === BigInt(b);
  return false;
}

function isNumeric(value: JSONValue | undefined): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}
