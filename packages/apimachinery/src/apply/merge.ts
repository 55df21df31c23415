import type { JSONValue } from '../object/object.ts';
import { equalJSON, getKey, isJSONObject, setKey } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { formOf } from './atom.ts';
import { isAligned, itemElement } from './list-items.ts';
import { elementText } from './path-element.ts';
import type { PathElement } from './path-element.ts';
import { TypedError } from './typed-error.ts';

/**
 * Lays an applied configuration over a live value. Nothing is removed; leaves take the applied value, items of sets
 * and list maps are ordered as the configuration has them where it says something about their order.
 *
 * The result shares parts with both; neither is changed.
 *
 * @throws TypedError for duplicates in the configuration
 */
export function mergeTyped(atom: Atom, live: JSONValue, applied: JSONValue): JSONValue {
  return merge(atom, live, applied) ?? null;
}

/** `undefined` is absence; of one side at most. */
function merge(atom: Atom, live: JSONValue | undefined, applied: JSONValue | undefined): JSONValue | undefined {
  if (applied === undefined) return live;
  switch (formOf(atom, applied)) {
    case 'map':
      return mergeMaps(atom.map as MapAtom, live, applied);
    case 'list':
      return mergeLists(atom.list as ListAtom, live, applied);
    default:
      return applied;
  }
}

function mergeMaps(map: MapAtom, live: JSONValue | undefined, applied: JSONValue): JSONValue | undefined {
  const old = isJSONObject(live) ? live : {};
  const config = isJSONObject(applied) ? applied : {};
  if (map.atomic || (isEmpty(old) && isEmpty(config))) return equalJSON(live, applied) ? live : applied;
  // Stays undefined as long as nothing differs from the live object: then that is the result, and comparing the
  // two later costs nothing.
  let out: JSONObject | undefined;
  for (const key in config) {
    // What an object inherits are functions.
    let left = old[key];
    if (typeof left === 'function' || key === '__proto__') left = getKey(old, key);
    const right = config[key] as JSONValue;
    const atom = map.fields.get(key)?.atom ?? map.element;
    if (left === right || atom === undefined) continue;
    const merged = typeof right !== 'object' && atom.scalar !== undefined ? right : merge(atom, left, right);
    if (merged === left) continue;
    out ??= { ...old };
    if (merged === undefined) delete out[key];
    else setKey(out, key, merged);
  }
  return out ?? (isJSONObject(live) && !isEmpty(live) ? live : undefined);
}

function isEmpty(object: JSONObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** A list's items by element. */
interface Indexed {
  readonly elements: readonly PathElement[];
  /** The item; null for one that occurs twice, which merges with nothing. */
  readonly items: ReadonlyMap<PathElement, JSONValue>;
}

function index(list: ListAtom, items: readonly JSONValue[], duplicates: 'allowed' | 'refused'): Indexed {
  const elements: PathElement[] = [];
  const byElement = new Map<PathElement, JSONValue>();
  items.forEach((item, i) => {
    const { element, error } = itemElement(list, item);
    if (error !== undefined) throw new TypedError([{ path: '', message: `element ${i}: ${error}` }]);
    const known = byElement.has(element);
    if (known && duplicates === 'refused')
      throw new TypedError([{ path: '', message: `duplicate entries for key ${elementText(element)}` }]);
    byElement.set(element, known ? null : item);
    elements.push(element);
  });
  return { elements, items: byElement };
}

function mergeLists(list: ListAtom, live: JSONValue | undefined, applied: JSONValue): JSONValue | undefined {
  const old = Array.isArray(live) ? live : [];
  const config = Array.isArray(applied) ? applied : [];
  if (list.atomic || (old.length === 0 && config.length === 0)) return equalJSON(live, applied) ? live : applied;
  if (isAligned(list, old, config)) {
    const merged = mergeAligned(list, old, config);
    if (merged !== undefined) return merged;
  }
  const right = index(list, config, 'refused');
  const left = index(list, old, 'allowed');
  const shared = right.elements.filter((element) => left.items.has(element));
  const out: JSONValue[] = [];
  const taken = new Set<PathElement>();
  let nextShared = 0;
  let l = 0;
  let r = 0;
  const push = (oldItem: JSONValue | undefined, newItem: JSONValue | undefined): void => {
    const merged = newItem === undefined ? oldItem : merge(list.element, oldItem, newItem);
    if (merged !== undefined) out.push(merged);
  };
  // Walks both lists at once: items of both stay in the configuration's order, items that only the live list has
  // stay behind the one that they followed.
  while (l < left.elements.length || r < right.elements.length) {
    const leftElement = left.elements[l];
    const rightElement = right.elements[r];
    if (leftElement !== undefined && rightElement !== undefined) {
      if (leftElement === rightElement) {
        taken.add(leftElement);
        push(left.items.get(leftElement), right.items.get(leftElement));
        l++;
        r++;
        nextShared++;
        continue;
      }
      const wanted = shared[nextShared];
      if (right.items.has(leftElement) && wanted !== undefined && wanted !== leftElement) {
        l++;
        continue;
      }
    }
    if (leftElement !== undefined) {
      if (!right.items.has(leftElement)) {
        push(old[l], undefined);
        l++;
        continue;
      }
      if (taken.has(leftElement)) l++;
    }
    if (rightElement !== undefined) {
      taken.add(rightElement);
      push(left.items.get(rightElement), right.items.get(rightElement));
      r++;
      if (shared[nextShared] === rightElement) nextShared++;
    }
  }
  if (out.length === old.length && out.every((item, i) => item === old[i])) return old.length === 0 ? undefined : old;
  return out.length === 0 ? undefined : out;
}

/** `undefined` when an item merges to nothing, so that the list gets shorter. */
function mergeAligned(list: ListAtom, old: JSONValue[], config: readonly JSONValue[]): JSONValue | undefined {
  let out: JSONValue[] | undefined;
  for (let i = 0; i < old.length; i++) {
    const merged = merge(list.element, old[i], config[i]);
    if (merged === undefined) return undefined;
    if (merged !== old[i]) (out ??= old.slice())[i] = merged;
  }
  return out ?? old;
}
