import type { JSONValue } from '../object/object.ts';
import { getKey, isJSONObject } from '../object/json-object.ts';
import { goQuote } from '../errors/go-format.ts';
import type { ListAtom } from './atom.ts';
import { GoValue } from './go-value.ts';
import { encodeValue, keyElement, valueElement } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/** The element of an item of a set or list map, or why it cannot be one. */
export type ItemElement =
  | { readonly element: PathElement; readonly error?: undefined }
  | { readonly element?: undefined; readonly error: string };

/** Identifies an item. A key that is missing takes its default, and without one is left out. */
export function itemElement(list: ListAtom, item: JSONValue): ItemElement {
  if (list.keys.length === 0) {
    if (item === null) return { error: "associative list without keys has an element that's an explicit null" };
    if (Array.isArray(item)) return { error: 'not supported: associative list with lists as elements' };
    if (typeof item === 'object') return { error: "associative list without keys has an element that's a map type" };
    return { element: valueElement(item) };
  }
  if (item === null) return { error: 'associative list with keys may not have a null element' };
  if (!isJSONObject(item) || (item as object) instanceof GoValue)
    return { error: 'associative list with keys may not have non-map elements' };
  const [only, second] = list.sortedKeys;
  // By far the most lists have one key, and its value is a plain string.
  if (only !== undefined && second === undefined) {
    const value = item[only];
    if (typeof value === 'string') return { element: stringKeyElement(list, value) };
  }
  const names: string[] = [];
  const values: JSONValue[] = [];
  for (const name of list.sortedKeys) {
    const value = Object.hasOwn(item, name) ? item[name] : list.element.map?.fields.get(name)?.default;
    if (value === undefined) continue;
    names.push(name);
    values.push(value);
  }
  if (names.length === 0) {
    return {
      error:
        'associative list with keys has an element that omits all key fields ' +
        `[${list.keys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`,
    };
  }
  return { element: keyElement(names, values) };
}

/** Elements of lists whose key is a string, by that. When full it starts anew: some 2 MB. */
let elements = new Map<ListAtom, Map<string, PathElement>>();
let elementCount = 0;
const maxElements = 8192;
const maxKeyLength = 128;

function stringKeyElement(list: ListAtom, value: string): PathElement {
  let known = elements.get(list);
  let element = known?.get(value);
  if (element !== undefined) return element;
  element = `${list.keyPrefix}${encodeValue(value)}}`;
  if (value.length > maxKeyLength) return element;
  if (++elementCount > maxElements) {
    elements = new Map();
    elementCount = 0;
    known = undefined;
  }
  if (known === undefined) elements.set(list, (known = new Map()));
  known.set(value, element);
  return element;
}

/** Longer lists are not worth comparing each item with all before it. */
const maxAligned = 16;

/**
 * Whether two lists have the same items in the same order, each once: then they merge and compare item by item. Cheap
 * to find out, and mostly so.
 */
export function isAligned(list: ListAtom, one: readonly JSONValue[], other: readonly JSONValue[]): boolean {
  if (one.length !== other.length || one.length > maxAligned) return false;
  for (let i = 0; i < one.length; i++) {
    if (!isSameItem(list, one[i] as JSONValue, other[i] as JSONValue)) return false;
    for (let j = 0; j < i; j++) if (isSameItem(list, other[j] as JSONValue, other[i] as JSONValue)) return false;
  }
  return true;
}

/** Whether two items are certainly one: keys are all there, and equal strings, numbers or booleans. */
function isSameItem(list: ListAtom, a: JSONValue, b: JSONValue): boolean {
  const { sortedKeys } = list;
  if (sortedKeys.length === 0) return a === b && isScalar(a);
  if (!isJSONObject(a) || !isJSONObject(b)) return false;
  for (const key of sortedKeys) {
    const fallback = list.element.map?.fields.get(key)?.default;
    const [one, other] = [getKey(a, key), getKey(b, key)];
    // Only a missing key takes the default: null is a value of its own.
    const value = one === undefined ? fallback : one;
    if (!isScalar(value) || value !== (other === undefined ? fallback : other)) return false;
  }
  return true;
}

function isScalar(value: JSONValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
