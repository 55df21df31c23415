import type { JSONValue } from '../runtime/object.ts';
import { isJSONObject } from '../patch/json-object.ts';
import { FormatError } from '../errors/format-error.ts';
import type { FieldSet } from './field-set.ts';
import { FieldNode, LEAF, emptySet, unionNodes } from './field-set.ts';
import { compareElements, parseElement, sortElements } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/** The value of `.` and of every leaf. */
const nothing = LEAF.wire as Record<string, JSONValue>;

/**
 * The wire form of a set (FieldsV1): `{"f:metadata": {"f:labels": {".": {}, "f:app": {}}}}`, sorted.
 * Parts are shared with other sets: do not change what this returns.
 */
export function toFieldsV1(set: FieldSet): Record<string, JSONValue> {
  const out: Record<string, JSONValue> = {};
  encodeInto(out, set);
  return out;
}

function encodeInto(out: Record<string, JSONValue>, set: FieldSet): void {
  for (const element of sortElements([...set.keys()])) out[element] = encode(set.get(element) as FieldNode);
}

function encode(node: FieldNode): Record<string, JSONValue> {
  if (node.wire !== undefined) return node.wire;
  const out: Record<string, JSONValue> = {};
  if (node.member) out['.'] = nothing;
  if (node.children !== undefined) encodeInto(out, node.children);
  return node.wire = out;
}

/**
 * Reads a set; path elements of unknown kinds are dropped.
 * @throws FormatError
 */
export function fromFieldsV1(fields: Readonly<Record<string, JSONValue>> | undefined): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isJSONObject(fields)) throw new FormatError(`ReadMapCB: expect { or n, but found ${JSON.stringify(fields)[0] ?? ''}`);
  return decode(fields).children ?? emptySet;
}

function decode(fields: Record<string, JSONValue>): FieldNode {
  let member = false;
  let canonical = true;
  let previous = '';
  let children: Map<PathElement, FieldNode> | undefined;
  // Decoded JSON has no inherited members.
  for (const key in fields) {
    if (key === '.') {
      canonical &&= previous === '';
      member = true;
      continue;
    }
    const element = key.charCodeAt(0) === 102 && key.charCodeAt(1) === 58 ? key : parseElement(key);
    const value = fields[key];
    if (element === undefined || value === null || value === undefined) {
      canonical = false;
      continue;
    }
    if (!isJSONObject(value)) throw new FormatError(`ReadMapCB: expect { or n, but found ${JSON.stringify(value)[0] ?? ''}`);
    canonical &&= element === key && (previous === '' || compareElements(previous, element) < 0);
    previous = element;
    const node = decode(value);
    canonical &&= node.wire === value || node === LEAF;
    children ??= new Map();
    const existing = children.get(element);
    // Two spellings of one element, such as keys in another order.
    children.set(element, existing === undefined ? node : unionNodes(existing, node));
  }
  if (children === undefined) return LEAF;
  return new FieldNode(member, children, canonical ? fields : undefined);
}
