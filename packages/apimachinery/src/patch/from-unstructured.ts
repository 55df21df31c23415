import { zeroValue } from '../schema/zero-value.ts';
import { FormatError } from '../errors/format-error.ts';
import { compareText } from '../errors/go-format.ts';
import { canonicalDuration } from '../meta/duration.ts';
import { canonicalMicroTime, canonicalTime } from '../meta/time.ts';
import { canonicalQuantity } from '../quantity/canonical.ts';
import { noteEmptied } from '../object/emptied.ts';
import type { JSONValue } from '../object/object.ts';
import type { Schema, StructSchema } from '../schema/schema.ts';
import { isEmptyValue } from '../serializer/json/empty.ts';
import { encodeJSONText } from '../serializer/json/encode.ts';
import { corruptBase64, emptyKind, exactDecodeVariant } from '../serializer/json/exact-decode.ts';
import { parseTree } from '../serializer/json/tree.ts';
import { jsonKind } from './go-types.ts';
import { cloneJSON, cloneWithoutNull, isJSONObject, setKey } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { goKind } from './patch-meta.ts';
import { isRaw } from './raw-order.ts';
import { sortedForm } from '../serializer/json/wire-form.ts';

/** An object read from plain data. */
export interface FromUnstructured {
  /** Pruned to the schema, values canonical; shares no containers with the data. */
  readonly object: JSONObject;
  /** `unknown field "spec.bogus"`, sorted; empty unless asked for. */
  readonly unknownFields: readonly string[];
}

/** How {@link fromUnstructured} reads. */
export interface FromUnstructuredOptions {
  /** Collect the fields that the schema does not know. */
  readonly unknownFields?: boolean;
  /**
   * An object that has been read before, and that the data was made from: what the data shares with it, at the same
   * place, is copied as it is, unless it has a null: stored JSON has them for lists and maps that Go writes without
   * `omitempty`, and in an object they are not there.
   */
  readonly known?: JSONValue;
}

/**
 * Reads plain data as an object of a built-in kind, the way results of strategic merge patches and applies become
 * objects again (upstream runtime.FromUnstructuredWithValidation). Its texts differ from the JSON decoder's.
 *
 * @throws FormatError with upstream's text for values of the wrong type
 */
export function fromUnstructured(
  data: JSONObject,
  schema: StructSchema,
  { known, unknownFields }: FromUnstructuredOptions = {},
): FromUnstructured {
  const unknown: string[] | undefined = unknownFields === true ? [] : undefined;
  const object = readStruct(data, schema, { path: '', unknown, known });
  return { object, unknownFields: unknown?.sort(compareText) ?? [] };
}

/** Where a value stands, and what is known of it. */
interface Place {
  /** Kept only where unknown fields are asked for. */
  readonly path: string;
  readonly unknown: string[] | undefined;
  readonly known: JSONValue | undefined;
}

interface Member {
  readonly name: string;
  readonly index: number;
  readonly schema: Schema;
  readonly isText: boolean;
  /** A union of nothing that it knows is there, and null. */
  readonly isUnion: boolean;
  readonly omits: boolean;
  /** What Go tells from none when it is empty. */
  readonly emptied: 'map' | 'list' | 'bytes' | undefined;
}

const compiled = new WeakMap<StructSchema, ReadonlyMap<string, Member>>();

function membersOf(schema: StructSchema): ReadonlyMap<string, Member> {
  let members = compiled.get(schema);
  if (members === undefined) {
    members = new Map(
      [...schema.fields.values()].map((field, index) => [
        field.name,
        {
          name: field.name,
          index,
          schema: field.schema,
          isText: field.schema.kind === 'scalar' && field.schema.type === 'string',
          isUnion: field.schema.kind === 'any' && field.schema.variant !== undefined,
          omits: field.omitEmpty === true && field.pointer !== true,
          emptied: emptyKind(field.schema),
        },
      ]),
    );
    compiled.set(schema, members);
  }
  return members;
}

function readStruct(value: JSONValue, schema: StructSchema, place: Place): JSONObject {
  if (!isJSONObject(value)) throw new FormatError(`cannot restore struct from: ${goKindOf(value)}`);
  const { path, unknown } = place;
  const members = membersOf(schema);
  const present: Member[] = [];
  // In Go's order, as upstream reads them: the first mistake is reported, and the encoder finds the object as it writes
  // it.
  let ordered = true;
  let complete = true;
  for (const key in value) {
    const member = members.get(key);
    const item = value[key];
    if (member === undefined) unknown?.push(`unknown field "${path === '' ? key : `${path}.${key}`}"`);
    if (member === undefined || item === undefined || item === null) {
      complete = false;
      continue;
    }
    if (present.length > 0 && (present.at(-1) as Member).index > member.index) ordered = false;
    present.push(member);
  }
  if (!ordered) present.sort((a, b) => a.index - b.index);
  const known = isJSONObject(place.known) ? place.known : undefined;
  // A spread keeps the layout, which members set one by one would have to find.
  let copied = ordered && complete;
  let out: JSONObject = copied ? { ...value } : {};
  let emptied: Member[] | undefined;
  for (const [i, member] of present.entries()) {
    const { name } = member;
    const item = value[name] as JSONValue;
    const form =
      member.isText && typeof item === 'string'
        ? item
        : readValue(item, member.schema, {
            path: unknown === undefined ? '' : path === '' ? name : `${path}.${name}`,
            unknown,
            known: known?.[name],
          });
    if ((form === null && !member.isUnion) || (member.omits && isEmptyValue(form))) {
      if (form !== null && member.emptied !== undefined) (emptied ??= []).push(member);
      if (copied) out = membersBefore(out, present, i);
      copied = false;
    } else if (!copied || form !== item) out[name] = form;
  }
  for (const { emptied: kind, name } of emptied ?? []) if (kind !== undefined) noteEmptied(out, name, kind);
  return out;
}

function membersBefore(object: JSONObject, present: readonly Member[], end: number): JSONObject {
  const out: JSONObject = {};
  for (const { name } of present.slice(0, end)) out[name] = object[name] as JSONValue;
  return out;
}

function readValue(value: JSONValue, schema: Schema, place: Place): JSONValue {
  if (value === null) return zeroValue(schema);
  const { known, path, unknown } = place;
  if (isRaw(schema)) return sortedForm(value) as JSONValue;
  if (value === known && unknown === undefined) {
    const copy = cloneWithoutNull(value);
    if (copy !== undefined) return copy;
  }
  switch (schema.kind) {
    case 'struct':
      return readStruct(value, schema, place);
    case 'map': {
      if (!isJSONObject(value)) throw new FormatError(`cannot restore map from ${goKindOf(value)}`);
      const out: JSONObject = { ...value };
      for (const key of Object.keys(value)) {
        const item = value[key] as JSONValue;
        const form = readValue(item, schema.values, { path, unknown, known: undefined });
        if (form !== item) setKey(out, key, form);
      }
      return out;
    }
    case 'list': {
      if (!Array.isArray(value)) throw new FormatError(`cannot restore slice from ${goKindOf(value)}`);
      const items = Array.isArray(known) ? known : undefined;
      return value.map((item, i) =>
        readValue(item, schema.items, {
          path: unknown === undefined ? '' : `${path}[${i}]`,
          unknown,
          known: items?.[i],
        }),
      );
    }
    case 'any':
      if (schema.variant === undefined) return cloneJSON(value);
      // Go has methods of its own read these from JSON.
      return exactDecodeVariant(parseTree(encodeJSONText(value)), schema.variant) as JSONValue;
    case 'scalar':
      break;
    default:
      return schema satisfies never;
  }
  switch (schema.type) {
    case 'string':
      if (typeof value === 'string') return value;
      throw typeof value === 'bigint' || Number.isSafeInteger(value)
        ? cannotConvert(value, schema)
        : unrecognized(schema);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw unrecognized(schema);
    case 'int32':
      if (isInteger(value)) return isInt64(value) ? Number(BigInt.asIntN(32, BigInt(value))) : 0;
      throw typeof value === 'number' ? cannotConvert(value, schema) : unrecognized(schema);
    case 'int64':
    case 'integer':
      if (typeof value === 'number' && !Number.isSafeInteger(value) && isInteger(value) && isInt64(value))
        return BigInt(value);
      if (isInteger(value)) return isInt64(value) ? value : MIN_INT64;
      throw typeof value === 'number' ? cannotConvert(value, schema) : unrecognized(schema);
    case 'double':
    case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
      throw unrecognized(schema);
    case 'bytes': {
      if (Array.isArray(value)) return Buffer.from(value.map(byteOf)).toString('base64');
      if (typeof value !== 'string') throw new FormatError(`cannot restore slice from ${goKindOf(value)}`);
      const corrupt = corruptBase64(value);
      if (corrupt !== undefined)
        throw new FormatError(`error decoding from json: illegal base64 data at input byte ${corrupt}`);
      return Buffer.from(value, 'base64').toString('base64');
    }
    case 'time':
      return canonicalTime(textOf(value));
    case 'microTime':
      return canonicalMicroTime(textOf(value));
    case 'duration':
      return canonicalDuration(textOf(value));
    case 'quantity':
      return canonicalQuantity(typeof value === 'object' || typeof value === 'boolean' ? JSON.stringify(value) : value);
    case 'intOrString':
      if (typeof value === 'string') return value;
      if (isInteger(value) && BigInt.asIntN(32, BigInt(value)) === BigInt(value)) return Number(value);
      throw new FormatError(
        `json: cannot unmarshal ${jsonKind(value)}` +
          `${typeof value === 'number' || typeof value === 'bigint' ? ` ${value}` : ''} into Go value of type ` +
          'int32',
      );
    default:
      return schema.type satisfies never;
  }
}

/** One byte of a list of numbers: the last eight bits. */
function byteOf(value: JSONValue): number {
  if (value === null) return 0;
  if (isInteger(value)) return isInt64(value) ? Number(BigInt.asUintN(8, BigInt(value))) : 0;
  throw new FormatError(
    typeof value === 'number' ? `cannot convert ${goKindOf(value)} to uint8` : 'unrecognized type: uint8',
  );
}

function textOf(value: JSONValue): string {
  if (typeof value !== 'string')
    throw new FormatError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
  return value;
}

function isInteger(value: JSONValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

const MIN_INT64 = -(2n ** 63n);

/** Go reads a larger number as a float, and makes the least int64 of it (of whose bits an int32 has none). */
function isInt64(value: number | bigint): boolean {
  return value >= MIN_INT64 && value < -MIN_INT64;
}

function cannotConvert(value: JSONValue, schema: Schema): FormatError {
  return new FormatError(`cannot convert ${goKindOf(value)} to ${schema.goType ?? goKind(schema)}`);
}

function unrecognized(schema: Schema): FormatError {
  return new FormatError(`unrecognized type: ${goKind(schema)}`);
}

/** Go's reflect.Kind of decoded JSON. */
function goKindOf(value: JSONValue): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isSafeInteger(value) ? 'int64' : 'float64';
    default:
      return 'map';
  }
}
