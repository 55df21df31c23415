import { sameEmptied } from '../object/emptied.ts';
import type { JSONValue } from '../object/object.ts';
import { equalJSON, getKey, isJSONObject } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';

/*
 * Equality of what is owned as a whole, as the reference has it for Go values (structured-merge-diff/v6
 * value/*reflect.go): fields
 * without omitempty are there with their zero value, and within a list what is there without entries differs from what
 * is not.
 */

/** Whether two values of an atomic map are the same. */
export function equalMaps(map: MapAtom, a: JSONValue, b: JSONValue): boolean {
  return (equalJSON(a, b) || (isJSONObject(a) && isJSONObject(b) && equalFields(map, a, b))) && sameInLists(a, b);
}

/** Whether two values of an atomic list are the same. */
export function equalLists(list: ListAtom, a: JSONValue, b: JSONValue): boolean {
  return (equalJSON(a, b) || (Array.isArray(a) && Array.isArray(b) && equalItems(list, a, b))) && sameInLists(a, b);
}

function equalAs(atom: Atom | undefined, a: JSONValue | undefined, b: JSONValue | undefined): boolean {
  if (isJSONObject(a) && isJSONObject(b) && atom?.map !== undefined) return equalFields(atom.map, a, b);
  if (Array.isArray(a) && Array.isArray(b) && atom?.list !== undefined) return equalItems(atom.list, a, b);
  return equalJSON(a, b);
}

function equalFields(map: MapAtom, a: JSONObject, b: JSONObject): boolean {
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const field = map.fields.get(key);
    if (!equalAs(field?.atom ?? map.element, getKey(a, key) ?? field?.zero, getKey(b, key) ?? field?.zero))
      return false;
  }
  return true;
}

function equalItems(list: ListAtom, a: readonly JSONValue[], b: readonly JSONValue[]): boolean {
  return a.length === b.length && a.every((item, i) => equalAs(list.element, item, b[i]));
}

function sameInLists(a: JSONValue | undefined, b: JSONValue | undefined): boolean {
  if (Array.isArray(a)) return sameEmptied(a, b);
  if (!isJSONObject(a) || !isJSONObject(b)) return true;
  for (const key in a) if (typeof a[key] === 'object' && !sameInLists(a[key], getKey(b, key))) return false;
  return true;
}
