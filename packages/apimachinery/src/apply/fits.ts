import { isJSONObject } from '../object/json-object.ts';
import type { JSONValue } from '../object/object.ts';
import type { Atom, ListAtom, MapAtom, ScalarKind } from './atom.ts';
import { formOf } from './atom.ts';
import { itemElement } from './list-items.ts';

/**
 * Whether a value fits its schema, items that occur twice aside (structured-merge-diff's AsTyped with AllowDuplicates).
 * Null fits everywhere but among the items of sets and list maps.
 */
export function fits(atom: Atom, value: JSONValue): boolean {
  switch (formOf(atom, value)) {
    case 'map':
      return value === null || (isJSONObject(value) && fieldsFit(atom.map as MapAtom, value));
    case 'list':
      return value === null || (Array.isArray(value) && itemsFit(atom.list as ListAtom, value));
    default:
      return isScalarOf(atom.scalar, value);
  }
}

/** Whether a value is such a scalar; null is any. */
export function isScalarOf(kind: ScalarKind | undefined, value: JSONValue): boolean {
  switch (kind) {
    case 'string':
    case 'boolean':
      return typeof value === kind || value === null;
    case 'numeric':
      return typeof value === 'number' || typeof value === 'bigint' || value === null;
    case 'untyped':
      return typeof value !== 'object' || value === null;
    case undefined:
      return false;
    default:
      return kind satisfies never;
  }
}

function fieldsFit(map: MapAtom, object: Readonly<Record<string, JSONValue>>): boolean {
  for (const key in object) {
    const atom = map.fields.get(key)?.atom ?? map.element;
    if (atom === undefined) return false;
    const item = object[key] as JSONValue;
    if (typeof item !== 'object' && atom.scalar !== undefined ? !isScalarOf(atom.scalar, item) : !fits(atom, item))
      return false;
  }
  return true;
}

function itemsFit(list: ListAtom, items: readonly JSONValue[]): boolean {
  return items.every(
    (item) => (list.atomic || itemElement(list, item).error === undefined) && fits(list.element, item),
  );
}
