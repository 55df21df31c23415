import type { JSONValue } from '../object/object.ts';
import { shareJSON, sharedText } from '../serializer/json/shared.ts';
import type { SharedObject } from '../serializer/json/shared.ts';
import { isJSONObject } from '../object/json-object.ts';
import { FormatError } from '../errors/format-error.ts';
import type { FieldSet } from './field-set.ts';
import { FieldNode, LEAF, emptySet, unionNodes } from './field-set.ts';
import { elementKey, parseElement, sortElements } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/** Sets of shared wire forms, which never change, and the other way round for those in canonical form. */
const sets = new WeakMap<object, FieldSet>();
const wires = new WeakMap<FieldSet, SharedObject>();

/**
 * The wire form of a set (FieldsV1): `{"f:metadata": {"f:labels": {".": {}, "f:app": {}}}}`, sorted.
 * Shared and frozen.
 */
export function toFieldsV1(set: FieldSet): SharedObject {
  let wire = wires.get(set);
  if (wire !== undefined) return wire;
  wire = shareJSON(childrenText('{', set));
  wires.set(set, wire);
  if (!sets.has(wire)) sets.set(wire, set);
  return wire;
}

function childrenText(begin: string, set: FieldSet): string {
  let text = begin;
  let more = begin.length > 1;
  for (const element of sortElements([...set.keys()])) {
    text += more ? `,${elementKey(element)}` : elementKey(element);
    more = true;
    text += nodeText(set.get(element) as FieldNode);
  }
  return `${text}}`;
}

function nodeText(node: FieldNode): string {
  return (node.text ??=
    node.children === undefined ? '{}' : childrenText(node.member ? '{".":{}' : '{', node.children));
}

/**
 * Reads a set; path elements of unknown kinds are dropped.
 * @throws FormatError
 */
export function fromFieldsV1(fields: Readonly<Record<string, JSONValue>> | undefined): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isJSONObject(fields))
    throw new FormatError(`ReadMapCB: expect { or n, but found ${JSON.stringify(fields)[0] ?? ''}`);
  const known = sets.get(fields);
  if (known !== undefined) return known;
  const set = decode(fields).children ?? emptySet;
  const text = sharedText(fields);
  if (text !== undefined && set !== emptySet) {
    sets.set(fields, set);
    if (childrenText('{', set) === text) wires.set(set, fields);
  }
  return set;
}

function decode(fields: Readonly<Record<string, JSONValue>>): FieldNode {
  let member = false;
  let children: Map<PathElement, FieldNode> | undefined;
  let before: { readonly value: JSONValue; readonly node: FieldNode } | undefined;
  // Decoded JSON has no inherited members.
  for (const key in fields) {
    if (key === '.') {
      member = true;
      continue;
    }
    const element = key.charCodeAt(0) === 102 && key.charCodeAt(1) === 58 ? key : parseElement(key);
    const value = fields[key];
    if (element === undefined || value === null || value === undefined) continue;
    if (!isJSONObject(value))
      throw new FormatError(`ReadMapCB: expect { or n, but found ${JSON.stringify(value)[0] ?? ''}`);
    // Of a shared object, members that are alike are one.
    if (before?.value !== value) before = { value, node: decode(value) };
    const { node } = before;
    children ??= new Map();
    const existing = children.get(element);
    // Two spellings of one element, such as keys in another order.
    children.set(element, existing === undefined ? node : unionNodes(existing, node));
  }
  return children === undefined ? LEAF : new FieldNode(member, children);
}
