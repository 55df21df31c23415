import { isPlainObject } from '../../object/is-plain-object.ts';
import type { AnySchema, StructSchema, Variant } from '../../schema/schema.ts';
import { WireError } from '../../wire/wire-error.ts';
import type { WireReader } from '../../wire/wire-reader.ts';
import { manyValues } from '../json/many-values.ts';
import { isEmptyValue } from '../json/empty.ts';
import { setMember } from '../json/plain-value.ts';
import { readRawJSON } from './raw-value.ts';
import { readDuration, readIntOrString, readQuantity, readTime } from './decode-well-known.ts';
import { skipUnknown } from './skip-unknown.ts';
import { planOf, wireTypeOf } from './wire-plan.ts';
import type { WireField, WireType } from './wire-plan.ts';

type Data = Record<string, unknown>;

/** Messages of unions, and their fields by number. */
const VARIANT_FIELDS: Readonly<Record<Variant['name'], readonly string[]>> = {
  JSONSchemaPropsOrArray: ['JSONSchemaPropsOrArray', 'Schema', 'JSONSchemas'],
  JSONSchemaPropsOrBool: ['JSONSchemaPropsOrBool', 'Allows', 'Schema'],
  JSONSchemaPropsOrStringArray: ['JSONSchemaPropsOrStringArray', 'Schema', 'Property'],
};
const RAW_FIELDS = ['RawExtension', 'Raw'];

/**
 * What a raw field (RawExtension) that is not JSON becomes, undefined for JSON; given by who knows the envelope.
 * @param depth of the field within messages
 */
export type RawReader = (bytes: Buffer, depth: number) => unknown;

/**
 * Reads a message into `into`, in the form that decodeJSON gives. Unknown fields are skipped.
 * @throws WireError with gogo's text
 * @throws StatusError 413 for more items than the reader allows
 */
export function readMessage(reader: WireReader, schema: StructSchema, into: Data, readRaw?: RawReader): Data {
  const { byNumber, message } = planOf(schema);
  for (let tag = reader.tag(message); tag !== 0; tag = reader.tag(message)) {
    if ((tag & 7) === 4) throw new WireError(`proto: ${message}: wiretype end group for non-group`);
    const field = byNumber[tag >>> 3];
    if (field === undefined) {
      reader.skip(tag);
      continue;
    }
    if ((tag & 7) !== field.wireType)
      throw new WireError(`proto: wrong wireType = ${tag & 7} for field ${field.goName}`);
    readField(reader, field, into, readRaw);
  }
  return into;
}

/** Reads a message within the reader's. */
function readNested(reader: WireReader, schema: StructSchema, into: Data, readRaw: RawReader | undefined): Data {
  const outer = reader.enter();
  readMessage(reader, schema, into, readRaw);
  reader.leave(outer);
  return into;
}

function readField(reader: WireReader, field: WireField, into: Data, readRaw: RawReader | undefined): void {
  switch (field.shape) {
    case 'single': {
      const value = readValue(reader, field.type, into[field.name], readRaw);
      if (value === undefined || (field.omitEmpty && isEmptyValue(value))) delete into[field.name];
      else into[field.name] = value;
      return;
    }
    case 'repeated': {
      if (!reader.item()) throw manyValues();
      const list = into[field.name];
      const value = readValue(reader, field.type, undefined, readRaw) ?? null;
      if (Array.isArray(list)) list.push(value);
      else into[field.name] = [value];
      return;
    }
    case 'map': {
      if (!reader.item()) throw manyValues();
      const map = isPlainObject(into[field.name]) ? (into[field.name] as Data) : (into[field.name] = {});
      readEntry(reader, field.type, map as Data, readRaw);
      return;
    }
    case 'embedded':
      if (field.type.kind === 'message') readNested(reader, field.type.schema, into, readRaw);
      return;
    default:
      field.shape satisfies never;
  }
}

function readEntry(reader: WireReader, type: WireType, map: Data, readRaw: RawReader | undefined): void {
  let key = '',
    value: unknown;
  const end = reader.enterEntry();
  for (let number = reader.entryField(end); number !== 0; number = reader.entryField(end)) {
    if (number === 1) key = reader.text();
    else value = readValue(reader, type, undefined, readRaw);
  }
  reader.leaveEntry(end);
  setMember(map, key, value ?? zeroOf(type));
}

function readValue(reader: WireReader, type: WireType, existing: unknown, readRaw: RawReader | undefined): unknown {
  switch (type.kind) {
    case 'string':
      return reader.text();
    case 'boolean':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
    case 'integer':
      return reader.int64();
    case 'double':
    case 'number':
      return reader.double();
    case 'bytes':
      return reader.bytes().toString('base64');
    case 'message':
      return readNested(reader, type.schema, isPlainObject(existing) ? existing : {}, readRaw);
    case 'quantity':
      return readQuantity(reader);
    case 'time':
    case 'microTime':
      return readTime(reader, type.kind);
    case 'duration':
      return readDuration(reader);
    case 'intOrString':
      return readIntOrString(reader);
    case 'raw':
      return readRawField(reader, readRaw);
    case 'variant':
      return readVariant(reader, type.schema, readRaw);
    case 'wrapped':
      return readWrapped(reader, type, readRaw);
    default:
      return type satisfies never;
  }
}

function readRawField(reader: WireReader, readRaw: RawReader | undefined): unknown {
  let bytes: Buffer | undefined;
  const outer = reader.enter();
  const { depth } = reader;
  for (let tag = reader.tag('RawExtension'); tag !== 0; tag = reader.tag('RawExtension')) {
    if (tag === 0x0a) bytes = reader.bytes();
    else skipUnknown(reader, tag, RAW_FIELDS);
  }
  reader.leave(outer);
  if (bytes === undefined) return undefined;
  return readRaw?.(bytes, depth) ?? readRawJSON(bytes);
}

function readVariant(reader: WireReader, schema: AnySchema, readRaw: RawReader | undefined): unknown {
  const variant = schema.variant;
  if (variant === undefined) {
    reader.leave(reader.enter());
    return undefined;
  }
  const { boolean, list: listNumber, object: objectNumber } = variant.numbers;
  let object: Data | undefined,
    allows = false;
  const list: unknown[] = [];
  const outer = reader.enter();
  const { name } = variant;
  const names = VARIANT_FIELDS[name];
  for (let tag = reader.tag(name); tag !== 0; tag = reader.tag(name)) {
    const number = tag >>> 3;
    if (number === objectNumber && (tag & 7) === 2) object = readNested(reader, variant.object, object ?? {}, readRaw);
    else if (number === boolean && (tag & 7) === 0) allows = reader.bool();
    else if (number === listNumber && variant.list !== undefined && (tag & 7) === 2)
      list.push(
        variant.list.items.kind === 'struct' ? readNested(reader, variant.list.items, {}, readRaw) : reader.text(),
      );
    else skipUnknown(reader, tag, names);
  }
  reader.leave(outer);
  if (boolean !== undefined) return object ?? allows;
  return list.length > 0 ? list : (object ?? null);
}

function readWrapped(
  reader: WireReader,
  { items, names }: Extract<WireType, { kind: 'wrapped' }>,
  readRaw: RawReader | undefined,
): unknown[] {
  const list: unknown[] = [];
  const itemTag = 0x08 | wireTypeOf(items);
  const outer = reader.enter();
  for (let tag = reader.tag(names[0]); tag !== 0; tag = reader.tag(names[0])) {
    if (tag === itemTag) list.push(readValue(reader, items, undefined, readRaw));
    else skipUnknown(reader, tag, names);
  }
  reader.leave(outer);
  return list;
}

/** What Go has in a map entry without a value. */
function zeroOf(type: WireType): unknown {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'integer':
    case 'double':
    case 'number':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'message':
      return {};
    case 'time':
    case 'microTime':
    case 'raw':
    case 'variant':
    case 'wrapped':
      return null;
    default:
      return type satisfies never;
  }
}
