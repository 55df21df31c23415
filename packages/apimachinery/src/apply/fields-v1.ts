import type { JSONValue } from '../runtime/object.ts';
import type { JSONObject } from '../patch/json-object.ts';
import { isJSONObject } from '../patch/json-object.ts';
import { FormatError } from '../errors/format-error.ts';
import type { FieldNode, FieldSet } from './field-set.ts';
import { LEAF, emptySet, union } from './field-set.ts';
import { parseElement, sortElements } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/** The value of every leaf, and of `.`. */
const nothing: JSONObject = Object.freeze({});

/**
 * The wire form of a set (FieldsV1): `{"f:metadata": {"f:labels": {".": {}, "f:app": {}}}}`, sorted.
 * Objects without members are shared: do not change what this returns.
 */
export function toFieldsV1(set: FieldSet): Record<string, JSONValue> {
  return encode(set, false);
}

function encode(set: FieldSet, self: boolean): JSONObject {
  const out: JSONObject = {};
  if (self) out['.'] = nothing;
  for (const element of sortElements([...set.keys()])) {
    const node = set.get(element) as FieldNode;
    out[element] = node.children === undefined ? nothing : encode(node.children, node.member);
  }
  return out;
}

/**
 * Reads a set; path elements of unknown kinds are dropped.
 * @throws FormatError
 */
export function fromFieldsV1(fields: Readonly<Record<string, JSONValue>> | undefined): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isJSONObject(fields)) throw new FormatError(`ReadMapCB: expect { or n, but found ${JSON.stringify(fields)[0] ?? ''}`);
  return decode(fields)[0] ?? emptySet;
}

/** What is below, and whether the object says that the path itself is a member. */
function decode(fields: Readonly<Record<string, JSONValue>>): [children: FieldSet | undefined, member: boolean] {
  let member = false;
  let children: Map<PathElement, FieldNode> | undefined;
  for (const key in fields) {
    if (!Object.hasOwn(fields, key)) continue;
    if (key === '.') {
      member = true;
      continue;
    }
    const element = key.charCodeAt(0) === 102 && key.charCodeAt(1) === 58 ? key : parseElement(key);
    if (element === undefined) continue;
    const value = fields[key];
    if (!isJSONObject(value)) {
      if (value !== null) throw new FormatError(`ReadMapCB: expect { or n, but found ${JSON.stringify(value)?.[0] ?? ''}`);
      continue;
    }
    const [below, self] = decode(value);
    children ??= new Map();
    const node = below === undefined ? LEAF : { member: self, children: below };
    const existing = children.get(element);
    // Two spellings of one element, such as keys in another order.
    children.set(element, existing === undefined ? node : union(new Map([[element, existing]]), new Map([[element, node]])).get(element) ?? node);
  }
  return [children, member || children === undefined];
}
