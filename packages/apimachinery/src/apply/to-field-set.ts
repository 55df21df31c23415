import type { JSONValue } from '../object/object.ts';
import { isJSONObject } from '../object/json-object.ts';
import { isScalarOf } from './fits.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
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
    case 'map':
      return mapNode(atom.map as MapAtom, value);
    case 'list':
      return listNode(atom.list as ListAtom, value);
    default:
      return LEAF;
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
    if (node !== undefined || member)
      (children ??= new Map()).set(field?.element ?? `f:${key}`, asMember(node, member));
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
 * The same for a value that fits its schema as validateTyped demands, found out in the same walk; `undefined` when it
 * does not fit, and validateTyped says why. Nearly all configurations fit, and telling the items of lists apart is
 * most of the work of both.
 *
 * What the value has in common with `like` is taken from there, and is `like` itself where nothing differs: managers
 * apply the same fields again and again, so that mostly no set is made at all, and what is known of one is known of
 * the next.
 */
export function checkedFieldSet(atom: Atom, value: JSONValue, like: FieldSet = emptySet): FieldSet | undefined {
  try {
    return checkedNode(atom, value, false, new FieldNode(false, like))?.children ?? emptySet;
  } catch (error) {
    if (error === doesNotFit) return undefined;
    throw error;
  }
}

const doesNotFit: unknown = new RangeError('the value does not fit its schema');

/** `member`: the node is in the set itself, whatever is in it. */
function checkedNode(
  atom: Atom,
  value: JSONValue,
  member: boolean,
  like: FieldNode | undefined,
): FieldNode | undefined {
  switch (formOf(atom, value)) {
    case 'map':
      return checkedMap(atom.map as MapAtom, value, member, like);
    case 'list':
      return checkedList(atom.list as ListAtom, value, member, like);
    default:
      if (!isScalarOf(atom.scalar, value)) throw doesNotFit;
      return LEAF;
  }
}

function checkedMap(
  map: MapAtom,
  value: JSONValue,
  member: boolean,
  like: FieldNode | undefined,
): FieldNode | undefined {
  if (!isJSONObject(value)) {
    if (value !== null) throw doesNotFit;
    return map.atomic || member ? LEAF : undefined;
  }
  const known = map.atomic ? undefined : like?.children;
  let children: Map<PathElement, FieldNode> | undefined;
  // So far all nodes are those of `known`.
  let same = known !== undefined;
  let count = 0;
  for (const key in value) {
    const item = value[key] as JSONValue;
    const field = map.fields.get(key);
    const atom = field?.atom ?? map.element;
    if (atom === undefined) throw doesNotFit;
    const element = field === undefined ? `f:${key}` : field.element;
    const before = known?.get(element);
    let node: FieldNode | undefined = LEAF;
    if (typeof item !== 'object' && atom.scalar !== undefined) {
      if (!isScalarOf(atom.scalar, item)) throw doesNotFit;
    } else {
      node = checkedNode(
        atom,
        item,
        item === null || field === undefined || (isJSONObject(item) && isEmpty(item)),
        before,
      );
    }
    if (node !== undefined) count++;
    if (map.atomic || (same && node === before)) continue;
    if (same) {
      same = false;
      children = firstOf(map, value, key, known as FieldSet);
    }
    if (node !== undefined) (children ??= new Map()).set(element, node);
  }
  if (map.atomic) return LEAF;
  if (count === 0) return member ? LEAF : undefined;
  if (same && known?.size === count) return nodeOfChildren(known, member, like);
  return new FieldNode(member, children ?? firstOf(map, value, undefined, known as FieldSet));
}

/** The children of an object before `end`, which are all in `known`. */
function firstOf(map: MapAtom, value: object, end: string | undefined, known: FieldSet): Map<PathElement, FieldNode> {
  const children = new Map<PathElement, FieldNode>();
  for (const key in value) {
    if (key === end) break;
    const element = map.fields.get(key)?.element ?? `f:${key}`;
    const node = known.get(element);
    if (node !== undefined) children.set(element, node);
  }
  return children;
}

function nodeOfChildren(children: FieldSet, member: boolean, like: FieldNode | undefined): FieldNode {
  return like !== undefined && children === like.children && member === like.member
    ? like
    : new FieldNode(member, children);
}

function checkedList(
  list: ListAtom,
  value: JSONValue,
  member: boolean,
  like: FieldNode | undefined,
): FieldNode | undefined {
  if (!Array.isArray(value)) {
    if (value !== null) throw doesNotFit;
    return list.atomic || member ? LEAF : undefined;
  }
  if (list.atomic) {
    for (const item of value) checkedNode(list.element, item, false, undefined);
    return LEAF;
  }
  if (value.length === 0) return member ? LEAF : undefined;
  const elements = elementsOf(list, value);
  const known = like?.children;
  if (known === undefined || !isInOrder(elements, known)) {
    const children = new Map<PathElement, FieldNode>();
    for (const [i, element] of elements.entries()) {
      if (children.has(element)) throw doesNotFit;
      children.set(element, itemNode(list, value[i] as JSONValue, known?.get(element)));
    }
    return new FieldNode(member, children);
  }
  let children: Map<PathElement, FieldNode> | undefined;
  let i = 0;
  for (const [element, before] of known) {
    const node = itemNode(list, value[i++] as JSONValue, before);
    if (node !== before) (children ??= new Map(known)).set(element, node);
  }
  return nodeOfChildren(children ?? known, member, like);
}

function elementsOf(list: ListAtom, items: readonly JSONValue[]): PathElement[] {
  const elements: PathElement[] = [];
  for (const item of items) {
    const { element } = itemElement(list, item);
    if (element === undefined) throw doesNotFit;
    elements.push(element);
  }
  return elements;
}

/** Whether elements are those of a set, in its order: then each is there once. */
function isInOrder(elements: readonly PathElement[], set: FieldSet): boolean {
  if (elements.length !== set.size) return false;
  let i = 0;
  for (const element of set.keys()) if (elements[i++] !== element) return false;
  return true;
}

function itemNode(list: ListAtom, item: JSONValue, like: FieldNode | undefined): FieldNode {
  return checkedNode(list.element, item, true, like) ?? LEAF;
}
