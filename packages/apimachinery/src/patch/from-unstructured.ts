import { FormatError } from '../errors/format-error.ts';
import { compareText } from '../errors/go-format.ts';
import { canonicalDuration } from '../meta/duration.ts';
import { canonicalMicroTime, canonicalTime } from '../meta/time.ts';
import { canonicalQuantity } from '../quantity/canonical.ts';
import type { JSONValue } from '../runtime/object.ts';
import type { Field, Schema, StructSchema } from '../schema/schema.ts';
import { isEmptyValue } from '../serializer/json/empty.ts';
import { corruptBase64 } from '../serializer/json/exact-decode.ts';
import { jsonKind } from './go-types.ts';
import { cloneJSON, isJSONObject, setKey } from './json-object.ts';
import type { JSONObject } from './json-object.ts';
import { goKind } from './patch-meta.ts';

/** An object read from plain data. */
export interface FromUnstructured {
  /** Pruned to the schema, values canonical; shares no containers with the data. */
  readonly object: JSONObject;
  /** `unknown field "spec.bogus"`, sorted; empty unless asked for. */
  readonly unknownFields: readonly string[];
}

/**
 * Reads plain data as an object of a built-in kind, the way results of strategic merge patches and applies become
 * objects again (upstream runtime.FromUnstructuredWithValidation). Its texts differ from the JSON decoder's.
 *
 * @throws FormatError with upstream's text for values of the wrong type
 */
export function fromUnstructured(data: JSONObject, schema: StructSchema, options: { readonly unknownFields?: boolean } = {}): FromUnstructured {
  const unknown: string[] | undefined = options.unknownFields === true ? [] : undefined;
  const object = readStruct(data, schema, '', unknown);
  return { object, unknownFields: unknown?.sort(compareText) ?? [] };
}

function readStruct(value: JSONValue, schema: StructSchema, path: string, unknown: string[] | undefined): JSONObject {
  if (!isJSONObject(value)) throw new FormatError(`cannot restore struct from: ${goKindOf(value)}`);
  const out: JSONObject = {};
  // In Go's order, as upstream reads them: the first mistake is reported, and the encoder finds the object as it writes it.
  for (const field of schema.fields.values()) {
    const key = field.name;
    const item = value[key];
    if (item === undefined || item === null) continue;
    const read = readValue(item, field.schema, unknown === undefined ? '' : path === '' ? key : `${path}.${key}`, unknown);
    if (read === null || (omits(field) && isEmptyValue(read))) continue;
    out[key] = read;
  }
  if (unknown !== undefined) for (const key of Object.keys(value)) if (!schema.fields.has(key)) unknown.push(`unknown field "${path === '' ? key : `${path}.${key}`}"`);
  return out;
}

function omits(field: Field): boolean {
  return field.omitEmpty === true && field.pointer !== true;
}

function readValue(value: JSONValue, schema: Schema, path: string, unknown: string[] | undefined): JSONValue {
  if (value === null) return zeroValue(schema);
  switch (schema.kind) {
    case 'struct': return readStruct(value, schema, path, unknown);
    case 'map': {
      if (!isJSONObject(value)) throw new FormatError(`cannot restore map from ${goKindOf(value)}`);
      const out: JSONObject = {};
      for (const key of Object.keys(value)) setKey(out, key, readValue(value[key] as JSONValue, schema.values, path, unknown));
      return out;
    }
    case 'list':
      if (!Array.isArray(value)) throw new FormatError(`cannot restore slice from ${goKindOf(value)}`);
      return value.map((item, i) => readValue(item, schema.items, `${path}[${i}]`, unknown));
    case 'any': return cloneJSON(value);
    case 'scalar': break;
    default: return schema satisfies never;
  }
  switch (schema.type) {
    case 'string':
      if (typeof value === 'string') return value;
      throw typeof value !== 'object' && isInteger(value) ? cannotConvert(value, schema) : unrecognized(schema);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw unrecognized(schema);
    case 'int32':
      if (typeof value === 'number' && Number.isInteger(value)) return value | 0;
      if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value));
      throw typeof value === 'number' ? cannotConvert(value, schema) : unrecognized(schema);
    case 'int64': case 'integer':
      if (isInteger(value)) return value;
      throw typeof value === 'number' ? cannotConvert(value, schema) : unrecognized(schema);
    case 'double': case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
      throw unrecognized(schema);
    case 'bytes': {
      if (typeof value !== 'string') throw new FormatError(`cannot restore slice from ${goKindOf(value)}`);
      const corrupt = corruptBase64(value);
      if (corrupt !== undefined) throw new FormatError(`error decoding from json: illegal base64 data at input byte ${corrupt}`);
      return Buffer.from(value, 'base64').toString('base64');
    }
    case 'time': return canonicalTime(textOf(value));
    case 'microTime': return canonicalMicroTime(textOf(value));
    case 'duration': return canonicalDuration(textOf(value));
    case 'quantity': return canonicalQuantity(typeof value === 'object' || typeof value === 'boolean' ? JSON.stringify(value) : value);
    case 'intOrString':
      if (typeof value === 'string') return value;
      if (isInteger(value) && BigInt.asIntN(32, BigInt(value)) === BigInt(value)) return Number(value);
      throw new FormatError(`json: cannot unmarshal ${jsonKind(value)}${typeof value === 'number' || typeof value === 'bigint' ? ` ${value}` : ''} into Go value of type int32`);
    default: return schema.type satisfies never;
  }
}

function textOf(value: JSONValue): string {
  if (typeof value !== 'string') throw new FormatError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
  return value;
}

function isInteger(value: JSONValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
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
    case 'string': return 'string';
    case 'boolean': return 'bool';
    case 'bigint': return 'int64';
    case 'number': return Number.isInteger(value) ? 'int64' : 'float64';
    default: return 'map';
  }
}

/** What a null item of a list or map becomes. */
function zeroValue(schema: Schema): JSONValue {
  switch (schema.kind) {
    case 'struct': return {};
    case 'map': case 'list': case 'any': return null;
    case 'scalar':
      switch (schema.type) {
        case 'string': return '';
        case 'boolean': return false;
        case 'quantity': return '0';
        case 'duration': return '0s';
        case 'time': case 'microTime': case 'bytes': return null;
        case 'int32': case 'int64': case 'integer': case 'double': case 'number': case 'intOrString': return 0;
        default: return schema.type satisfies never;
      }
    default: return schema satisfies never;
  }
}
