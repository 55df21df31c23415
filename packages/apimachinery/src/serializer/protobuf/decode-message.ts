import { canonicalQuantity } from '../../quantity/canonical.ts';
import { formatDuration } from '../../meta/duration.ts';
import { formatMicroTime, formatSeconds } from '../../meta/time.ts';
import type { AnySchema, StructSchema } from '../../schema/schema.ts';
import { isEmptyValue } from '../json/empty.ts';
import { setMember } from '../json/plain-value.ts';
import { readRawJSON } from './raw-value.ts';
import { WireError } from './reader.ts';
import type { Reader } from './reader.ts';
import { planOf } from './wire-plan.ts';
import type { WireField, WireType } from './wire-plan.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';

type Data = Record<string, unknown>;

/** What a raw field (RawExtension) that is not JSON becomes; given by who knows the envelope. */
export type RawReader = (bytes: Buffer) => unknown;

/**
 * Reads a message into `into`, in the form that decodeJSON gives. Unknown fields are skipped.
 * @throws WireError with gogo's text
 */
export function readMessage(reader: Reader, schema: StructSchema, into: Data, readRaw?: RawReader): Data {
  const { byNumber } = planOf(schema);
  while (!reader.done) {
    const tag = reader.tag();
    const field = byNumber[tag >>> 3];
    if (field === undefined) {
      if ((tag & 7) === 4) throw new WireError(`proto: ${messageName(schema)}: wiretype end group for non-group`);
      reader.skip(tag);
      continue;
    }
    const expected = field.shape === 'map' || field.shape === 'embedded' ? 2 : wireTypeOf(field.type);
    if ((tag & 7) !== expected)
      throw new WireError(`proto: wrong wireType = ${tag & 7} for field ${goName(field.name)}`);
    readField(reader, field, into, readRaw);
  }
  return into;
}

function readField(reader: Reader, field: WireField, into: Data, readRaw: RawReader | undefined): void {
  switch (field.shape) {
    case 'single': {
      const value = readValue(reader, field.type, into[field.name], readRaw);
      if (value === undefined || (field.omitEmpty && isEmptyValue(value))) delete into[field.name];
      else into[field.name] = value;
      return;
    }
    case 'repeated': {
      const list = into[field.name];
      const value = readValue(reader, field.type, undefined, readRaw) ?? null;
      if (Array.isArray(list)) list.push(value);
      else into[field.name] = [value];
      return;
    }
    case 'map': {
      const map = isPlainObject(into[field.name]) ? (into[field.name] as Data) : (into[field.name] = {});
      readEntry(reader.message(), field.type, map as Data, readRaw);
      return;
    }
    case 'embedded':
      if (field.type.kind === 'message') readMessage(reader.message(), field.type.schema, into, readRaw);
      return;
    default:
      field.shape satisfies never;
  }
}

function readEntry(entry: Reader, type: WireType, map: Data, readRaw: RawReader | undefined): void {
  let key = '',
    value: unknown;
  while (!entry.done) {
    const tag = entry.tag();
    if (tag >>> 3 === 1) key = entry.text();
    else if (tag >>> 3 === 2) value = readValue(entry, type, undefined, readRaw);
    else entry.skip(tag);
  }
  setMember(map, key, value ?? zeroOf(type));
}

function readValue(reader: Reader, type: WireType, existing: unknown, readRaw: RawReader | undefined): unknown {
  switch (type.kind) {
    case 'string':
      return reader.text();
    case 'boolean':
      return reader.varint() !== 0;
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
      return readMessage(reader.message(), type.schema, isPlainObject(existing) ? existing : {}, readRaw);
    case 'quantity':
      return readQuantity(reader.message());
    case 'time':
    case 'microTime':
      return readTime(reader.message(), type.kind);
    case 'duration':
      return readDuration(reader.message());
    case 'intOrString':
      return readIntOrString(reader.message());
    case 'raw':
      return readRawField(reader.message(), readRaw);
    case 'variant':
      return readVariant(reader.message(), type.schema, readRaw);
    case 'wrapped':
      return readWrapped(reader.message(), type.items, readRaw);
    default:
      return type satisfies never;
  }
}

function readQuantity(message: Reader): string {
  let text = '0';
  while (!message.done) {
    const tag = message.tag();
    if (tag >>> 3 === 1) text = message.text();
    else message.skip(tag);
  }
  return canonicalQuantity(text);
}

/** An empty message is Go's zero time. */
function readTime(message: Reader, kind: 'time' | 'microTime'): string | undefined {
  if (message.done) return undefined;
  let seconds = 0,
    nanos = 0;
  while (!message.done) {
    const tag = message.tag();
    if (tag >>> 3 === 1) seconds = Number(message.int64());
    else if (tag >>> 3 === 2) nanos = message.int32();
    else message.skip(tag);
  }
  if (kind === 'time') return formatSeconds(seconds);
  const text = formatMicroTime(seconds * 1000);
  return `${text.slice(0, -7)}${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

function readDuration(message: Reader): string {
  let nanos: number | bigint = 0;
  while (!message.done) {
    const tag = message.tag();
    if (tag >>> 3 === 1) nanos = message.int64();
    else message.skip(tag);
  }
  return formatDuration(BigInt(nanos));
}

function readIntOrString(message: Reader): number | string {
  let isText = false,
    number = 0,
    text = '';
  while (!message.done) {
    const tag = message.tag();
    switch (tag >>> 3) {
      case 1:
        isText = message.varint() === 1;
        break;
      case 2:
        number = message.int32();
        break;
      case 3:
        text = message.text();
        break;
      default:
        message.skip(tag);
    }
  }
  return isText ? text : number;
}

function readRawField(message: Reader, readRaw: RawReader | undefined): unknown {
  let bytes: Buffer | undefined;
  while (!message.done) {
    const tag = message.tag();
    if (tag >>> 3 === 1) bytes = message.bytes();
    else message.skip(tag);
  }
  if (bytes === undefined) return undefined;
  return readRawJSON(bytes) ?? readRaw?.(bytes);
}

function readVariant(message: Reader, schema: AnySchema, readRaw: RawReader | undefined): unknown {
  const variant = schema.variant;
  if (variant === undefined) return undefined;
  let object: Data | undefined,
    allows = false;
  const list: unknown[] = [];
  while (!message.done) {
    const tag = message.tag();
    const number = tag >>> 3;
    if (number === variant.numbers.object)
      object = readMessage(message.message(), variant.object, object ?? {}, readRaw);
    else if (number === variant.numbers.boolean) allows = message.varint() !== 0;
    else if (number === variant.numbers.list && variant.list !== undefined)
      list.push(
        variant.list.items.kind === 'struct'
          ? readMessage(message.message(), variant.list.items, {}, readRaw)
          : message.text(),
      );
    else message.skip(tag);
  }
  if (variant.numbers.boolean !== undefined) return object ?? allows;
  return list.length > 0 ? list : (object ?? null);
}

function readWrapped(message: Reader, items: WireType, readRaw: RawReader | undefined): unknown[] {
  const list: unknown[] = [];
  while (!message.done) {
    const tag = message.tag();
    if (tag >>> 3 === 1) list.push(readValue(message, items, undefined, readRaw));
    else message.skip(tag);
  }
  return list;
}

function wireTypeOf(type: WireType): number {
  switch (type.kind) {
    case 'boolean':
    case 'int32':
    case 'int64':
    case 'integer':
      return 0;
    case 'double':
    case 'number':
      return 1;
    default:
      return 2;
  }
}

/** What Go has in a map entry without a value. */
function zeroOf(type: WireType): unknown {
  switch (type.kind) {
    case 'string':
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
    case 'bytes':
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

/** gogo's errors name Go fields and types. */
function goName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function messageName(schema: StructSchema): string {
  return schema.goType?.slice(schema.goType.indexOf('.') + 1) ?? 'message';
}
