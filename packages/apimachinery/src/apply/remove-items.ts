import type { JSONValue } from '../object/object.ts';
import { isJSONObject, setKey } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { formOf } from './atom.ts';
import type { FieldSet } from './field-set.ts';
import { FieldNode, emptySet } from './field-set.ts';
import { itemElement } from './list-items.ts';

/** The value without the fields and items of a set; what is left empty by it stays. Shares parts with the value. */
export function removeItems(atom: Atom, value: JSONValue, items: FieldSet): JSONValue {
  return items.size === 0 ? value : (walk(atom, value, items, false) ?? null);
}

function walk(atom: Atom, value: JSONValue, items: FieldSet, extract: boolean): JSONValue | undefined {
  switch (formOf(atom, value)) {
    case 'map':
      return walkMap(atom.map as MapAtom, value, items, extract);
    case 'list':
      return walkList(atom.list as ListAtom, value, items, extract);
    default:
      return value;
  }
}

function walkMap(map: MapAtom, value: JSONValue, items: FieldSet, extract: boolean): JSONValue | undefined {
  if (!isJSONObject(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || map.atomic) return extract ? value : undefined;
  const out: JSONObject = {};
  let kept = false;
  let matched = false;
  for (const key of keys) {
    const field = map.fields.get(key);
    const atom = field?.atom ?? map.element;
    const node = items.get(field?.element ?? `f:${key}`);
    const item = value[key] as JSONValue;
    let result: JSONValue | undefined;
    if (node?.member === true) {
      if (!extract) continue;
      // As the reference does: below a member, the set of the level above decides.
      result = (atom === undefined ? item : walk(atom, item, items, true)) ?? null;
    } else if (node?.children !== undefined && atom !== undefined) {
      matched = true;
      result = emptied(walk(atom, item, node.children, extract), item, extract);
    } else if (extract) continue;
    else result = item;
    setKey(out, key, result);
    kept = true;
  }
  return kept || (matched && !extract) ? out : undefined;
}

function walkList(list: ListAtom, value: JSONValue, items: FieldSet, extract: boolean): JSONValue | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0 || list.atomic) return extract ? value : undefined;
  const out: JSONValue[] = [];
  let matched = false;
  for (const item of value) {
    const { element = '' } = itemElement(list, item);
    const node = items.get(element);
    if (extract) {
      if (node !== undefined)
        out.push(node.children === undefined ? item : (walk(list.element, item, node.children, true) ?? null));
      continue;
    }
    if (node?.member === true) continue;
    if (node?.children === undefined) out.push(item);
    else {
      matched = true;
      out.push(emptied(walk(list.element, item, node.children, false), item, false));
    }
  }
  return out.length > 0 || (matched && !extract) ? out : undefined;
}

/** What removing left of a container: at least an empty one. */
function emptied(result: JSONValue | undefined, before: JSONValue, extract: boolean): JSONValue {
  if (result !== undefined && result !== null) return result;
  if (extract) return null;
  return Array.isArray(before) ? [] : isJSONObject(before) ? {} : null;
}

/**
 * The set with the declared fields on the way to its members as members too (not maps' keys): so that removing an
 * object's last field removes the object.
 */
export function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  if (set.size === 0) return emptySet;
  const out = new Map(set);
  for (const [element, node] of set) {
    if (node.children === undefined) continue;
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const field = name === undefined ? undefined : atom?.map?.fields.get(name);
    const below =
      name !== undefined
        ? (field?.atom ?? atom?.map?.element)
        : element.startsWith('k:')
          ? atom?.list?.element
          : undefined;
    out.set(element, new FieldNode(node.member || field !== undefined, withNamedFields(node.children, below)));
  }
  return out;
}
