import type { JSONValue } from '../runtime/object.ts';
import { isJSONObject } from '../patch/json-object.ts';
import type { Atom, ListAtom, MapAtom, ScalarKind } from './atom.ts';
import { formOf } from './atom.ts';
import type { FieldSet } from './field-set.ts';
import { FieldNode, LEAF, emptySet } from './field-set.ts';
import { itemElement } from './list-items.ts';
import type { PathElement } from './path-element.ts';

/**
 * Every leaf and item that a value mentions: what an applier owns. Objects with declared fields are not members
 * themselves; items and keys of maps are. An item that occurs twice is owned without what is in it.
 */
export function toFieldSet(atom: Atom, value: JSONValue): FieldSet {
  return nodeOf(atom, value)?.children ?? emptySet;
}

function nodeOf(atom: Atom, value: JSONValue): FieldNode | undefined {
  switch (formOf(atom, value)) {
    case 'map': return mapNode(atom.map as MapAtom, value);
    case 'list': return listNode(atom.list as ListAtom, value);
    default: return LEAF;
  }
}

function mapNode(map: MapAtom, value: JSONValue): FieldNode | undefined {
  if (map.atomic) return LEAF;
  if (!isJSONObject(value)) return undefined;
  let children: Map<PathElement, FieldNode> | undefined;
  for (const key in value) {
    const item = value[key] as JSONValue;
    const field = map.fields.get(key);
    const atom = field?.atom ?? map.element;
    if (atom === undefined) continue;
    if (typeof item !== 'object' && atom.scalar !== undefined) {
      (children ??= new Map()).set(field?.element ?? `f:${key}`, LEAF);
      continue;
    }
    const node = nodeOf(atom, item);
    const member = item === null || field === undefined || (isJSONObject(item) && isEmpty(item));
    if (node !== undefined || member) (children ??= new Map()).set(field?.element ?? `f:${key}`, asMember(node, member));
  }
  return children === undefined ? undefined : new FieldNode(false, children);
}

function asMember(node: FieldNode | undefined, member: boolean): FieldNode {
  if (node?.children === undefined) return LEAF;
  return member && !node.member ? new FieldNode(true, node.children) : node;
}

function isEmpty(value: object): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

function listNode(list: ListAtom, value: JSONValue): FieldNode | undefined {
  if (list.atomic) return LEAF;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const children = new Map<PathElement, FieldNode>();
  for (const item of value) {
    const { element } = itemElement(list, item);
    if (element === undefined) continue;
    children.set(element, children.has(element) ? LEAF : asMember(nodeOf(list.element, item), true));
  }
  return children.size === 0 ? undefined : new FieldNode(false, children);
}

/**
 * The same for a value that fits its schema as validateTyped demands, found out in the same walk; `undefined` when it does not
 * fit, and validateTyped says why. Nearly all configurations fit, and telling the items of lists apart is most of the work of both.
 */
export function checkedFieldSet(atom: Atom, value: JSONValue): FieldSet | undefined {
  try {
    return checkedNode(atom, value)?.children ?? emptySet;
  } catch (error) {
    if (error === doesNotFit) return undefined;
    throw error;
  }
}

const doesNotFit: unknown = new RangeError('the value does not fit its schema');

function checkedNode(atom: Atom, value: JSONValue): FieldNode | undefined {
  switch (formOf(atom, value)) {
    case 'map': return checkedMap(atom.map as MapAtom, value);
    case 'list': return checkedList(atom.list as ListAtom, value);
    default:
      if (!isScalarOf(atom.scalar, value)) throw doesNotFit;
      return LEAF;
  }
}

function isScalarOf(kind: ScalarKind | undefined, value: JSONValue): boolean {
  switch (kind) {
    case 'string': case 'boolean': return typeof value === kind || value === null;
    case 'numeric': return typeof value === 'number' || typeof value === 'bigint' || value === null;
    case 'untyped': return typeof value !== 'object' || value === null;
    case undefined: return false;
    default: return kind satisfies never;
  }
}

function checkedMap(map: MapAtom, value: JSONValue): FieldNode | undefined {
  if (!isJSONObject(value)) {
    if (value !== null) throw doesNotFit;
    return map.atomic ? LEAF : undefined;
  }
  let children: Map<PathElement, FieldNode> | undefined;
  for (const key in value) {
    const item = value[key] as JSONValue;
    const field = map.fields.get(key);
    const atom = field?.atom ?? map.element;
    if (atom === undefined) throw doesNotFit;
    let node: FieldNode | undefined;
    let member = false;
    if (typeof item !== 'object' && atom.scalar !== undefined) {
      if (!isScalarOf(atom.scalar, item)) throw doesNotFit;
      node = LEAF;
    } else {
      node = checkedNode(atom, item);
      member = item === null || field === undefined || (isJSONObject(item) && isEmpty(item));
    }
    if (node !== undefined || member) (children ??= new Map()).set(field?.element ?? `f:${key}`, asMember(node, member));
  }
  if (map.atomic) return LEAF;
  return children === undefined ? undefined : new FieldNode(false, children);
}

function checkedList(list: ListAtom, value: JSONValue): FieldNode | undefined {
  if (!Array.isArray(value)) {
    if (value !== null) throw doesNotFit;
    return list.atomic ? LEAF : undefined;
  }
  if (list.atomic) {
    for (const item of value) checkedNode(list.element, item);
    return LEAF;
  }
  if (value.length === 0) return undefined;
  const children = new Map<PathElement, FieldNode>();
  for (const item of value) {
    const { element } = itemElement(list, item);
    if (element === undefined || children.has(element)) throw doesNotFit;
    children.set(element, asMember(checkedNode(list.element, item), true));
  }
  return new FieldNode(false, children);
}
