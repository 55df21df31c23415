import { FormatError } from '../../errors/format-error.ts';
import { canonicalMicroTime, canonicalTime } from '../../meta/time.ts';
import { canonicalDuration } from '../../meta/duration.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';
import { canonicalQuantity } from '../../quantity/canonical.ts';
import type { ListSchema, StructSchema } from '../../schema/schema.ts';
import { compile, membersOf, Op, type Node } from './compiled-schema.ts';
import { isEmptyValue } from './empty.ts';
import { isCanonicalBase64 } from './is-canonical-base64.ts';

/**
 * Whether a parsed object is what decoding it by its schema would make of it: known members, values of their types in
 * canonical form, all that Go always writes, and nothing that it leaves out when it is empty. Members that are `null`
 * are let through. May say no of what a decoder takes as it is, never the other way round. Changes nothing.
 */
export function fitsSchema(object: Record<string, unknown>, schema: StructSchema): boolean {
  return fitsStruct(object, compile(schema));
}

function fitsStruct(object: Record<string, unknown>, node: Node): boolean {
  const members = node.members ?? membersOf(node);
  let always = 0;
  for (const key in object) {
    const member = members.get(key);
    if (member === undefined) return false;
    if (member.always) always++;
    const value = object[key];
    if (typeof value === 'string' && member.node.op === Op.string) {
      if (value === '' && member.omitEmpty) return false;
      continue;
    }
    if (value === null) continue;
    if (member.omitEmpty && isEmptyValue(value)) return false;
    if (!fits(value, member.node)) return false;
  }
  return always === node.always;
}

function fits(value: unknown, node: Node): boolean {
  switch (node.op) {
    case Op.string:
      return typeof value === 'string';
    case Op.boolean:
      return typeof value === 'boolean';
    case Op.int32:
      return typeof value === 'number' && (value | 0) === value;
    case Op.int64:
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    case Op.double:
      return typeof value === 'number';
    case Op.bytes:
      return typeof value === 'string' && isCanonicalBase64(value);
    case Op.time:
      return typeof value === 'string' && isCanonical(value, canonicalTime);
    case Op.microTime:
      return typeof value === 'string' && isCanonical(value, canonicalMicroTime);
    case Op.duration:
      return typeof value === 'string' && isCanonical(value, canonicalDuration);
    case Op.quantity:
      return typeof value === 'string' && isCanonical(value, canonicalQuantity);
    case Op.intOrString:
      return typeof value === 'string' || (typeof value === 'number' && (value | 0) === value);
    case Op.struct:
      return isPlainObject(value) && fitsStruct(value, node);
    case Op.map:
      return isPlainObject(value) && fitsMap(value, node.child as Node);
    case Op.list:
      return Array.isArray(value) && fitsList(value, node.child as Node);
    case Op.any:
      return true;
    default:
      return fitsVariant(value, node);
  }
}

function fitsMap(object: Record<string, unknown>, child: Node): boolean {
  for (const key in object) {
    const value = object[key];
    if (value === null || !fits(value, child)) return false;
  }
  return true;
}

function fitsList(list: readonly unknown[], child: Node): boolean {
  for (const value of list) if (value === null || !fits(value, child)) return false;
  return true;
}

function fitsVariant(value: unknown, { child, schema }: Node): boolean {
  if (schema.kind !== 'any' || schema.variant === undefined) return false;
  if (isPlainObject(value)) return fitsStruct(value, child as Node);
  if (typeof value === 'boolean') return schema.variant.name === 'JSONSchemaPropsOrBool';
  if (!Array.isArray(value) || schema.variant.list === undefined) return false;
  return fitsList(value, compile((schema.variant.list as ListSchema).items));
}

function isCanonical(text: string, form: (text: string) => string | null): boolean {
  try {
    return form(text) === text;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
