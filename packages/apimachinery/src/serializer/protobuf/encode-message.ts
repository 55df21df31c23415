import { parseDuration } from '../../meta/duration.ts';
import { parseRFC3339, parseRFC3339Micro } from '../../meta/rfc3339.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';
import type { AnySchema, StructSchema } from '../../schema/schema.ts';
import type { WireWriter } from '../../wire/wire-writer.ts';
import { writeRawJSON } from './raw-value.ts';
import { planOf } from './wire-plan.ts';
import type { WireField, WireType } from './wire-plan.ts';

/*
 * Byte for byte what the gogo-generated code of k8s.io/api writes: fields in order of their numbers, values
 * held by value always (also when empty), pointers only when set, lists unpacked, maps sorted by key.
 */

type Data = Readonly<Record<string, unknown>>;

/** Writes the fields of a message, without tag and length. */
export function writeMessage(writer: WireWriter, object: Data, schema: StructSchema): void {
  for (const field of planOf(schema).descending) {
    switch (field.shape) {
      case 'single':
        writeSingle(writer, object[field.name], field);
        break;
      case 'repeated': {
        const list = object[field.name];
        if (Array.isArray(list))
          for (let i = list.length - 1; i >= 0; i--) writeTagged(writer, field.number, list[i], field.type);
        break;
      }
      case 'map': {
        const map = object[field.name];
        if (isPlainObject(map)) writeMap(writer, map, field);
        break;
      }
      case 'embedded': {
        if (field.type.kind !== 'message' || (field.optional && !hasAny(object, field.type.schema))) break;
        writeTagged(writer, field.number, object, field.type);
        break;
      }
      default:
        field.shape satisfies never;
    }
  }
}

function writeSingle(writer: WireWriter, value: unknown, field: WireField): void {
  if (value === undefined || value === null) {
    if (field.optional || !hasZeroForm(field.type)) return;
  }
  writeTagged(writer, field.number, value, field.type);
}

/** Byte slices and wrapped lists are nil when unset, and nil is not written. */
function hasZeroForm(type: WireType): boolean {
  return type.kind !== 'bytes' && type.kind !== 'wrapped';
}

function writeMap(writer: WireWriter, map: Data, field: WireField): void {
  const keys = sortedKeys(map);
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] ?? '',
      value = map[key];
    const start = writer.length;
    if (!(value === null && field.type.kind === 'bytes')) writeTagged(writer, 2, value, field.type);
    writer.textField(0x0a, key);
    writer.close(field.number * 8 + 2, start);
  }
}

/** A value with its tag; undefined and null stand for Go's zero value. */
function writeTagged(writer: WireWriter, number: number, value: unknown, type: WireType): void {
  switch (type.kind) {
    case 'string':
      writer.textField(number * 8 + 2, typeof value === 'string' ? value : '');
      return;
    case 'boolean':
      writer.integerField(number * 8, value === true ? 1 : 0);
      return;
    case 'int32':
    case 'int64':
    case 'integer':
      writer.integerField(number * 8, integer(value));
      return;
    case 'double':
    case 'number':
      writer.doubleField(number * 8 + 1, Number(value ?? 0));
      return;
    case 'bytes':
      writer.bytesField(number * 8 + 2, Buffer.from(typeof value === 'string' ? value : '', 'base64'));
      return;
    default: {
      const start = writer.length;
      writeContent(writer, value, type);
      writer.close(number * 8 + 2, start);
    }
  }
}

/** The content of types that are messages on the wire. */
function writeContent(writer: WireWriter, value: unknown, type: WireType): void {
  switch (type.kind) {
    case 'message':
      writeMessage(writer, isPlainObject(value) ? value : {}, type.schema);
      return;
    case 'quantity':
      writeTagged(writer, 1, value === undefined || value === null ? '0' : String(value as string | number), {
        kind: 'string',
      });
      return;
    case 'time':
    case 'microTime':
      writeTime(writer, value, type.kind);
      return;
    case 'duration':
      writeTagged(writer, 1, typeof value === 'string' ? parseDuration(value) : 0, { kind: 'int64' });
      return;
    case 'intOrString':
      writeTagged(writer, 3, typeof value === 'string' ? value : '', { kind: 'string' });
      writeTagged(writer, 2, typeof value === 'string' ? 0 : value, { kind: 'int32' });
      writeTagged(writer, 1, typeof value === 'string' ? 1 : 0, { kind: 'int64' });
      return;
    case 'raw':
      if (value !== undefined && value !== null)
        writeTagged(writer, 1, writeRawJSON(value, type.isFieldSet), { kind: 'string' });
      return;
    case 'variant':
      writeVariant(writer, value, type.schema);
      return;
    case 'wrapped':
      if (Array.isArray(value))
        for (let i = value.length - 1; i >= 0; i--) writeTagged(writer, 1, value[i], type.items);
      return;
    case 'string':
    case 'boolean':
    case 'int32':
    case 'int64':
    case 'integer':
    case 'double':
    case 'number':
    case 'bytes':
      return;
    default:
      return type satisfies never;
  }
}

/** Seconds and nanoseconds are both written always; Go's zero time is an empty message. */
function writeTime(writer: WireWriter, value: unknown, kind: 'time' | 'microTime'): void {
  if (typeof value !== 'string') return;
  const { seconds, nanos } = kind === 'time' ? parseRFC3339(value) : parseRFC3339Micro(value);
  writeTagged(writer, 2, kind === 'time' ? 0 : Math.floor(nanos / 1000) * 1000, { kind: 'int32' });
  writeTagged(writer, 1, seconds, { kind: 'int64' });
}

function writeVariant(writer: WireWriter, value: unknown, schema: AnySchema): void {
  const variant = schema.variant;
  if (variant === undefined) return;
  const { numbers } = variant;
  const parts: [number: number, write: () => void][] = [];
  if (isPlainObject(value))
    parts.push([
      numbers.object,
      () => writeTagged(writer, numbers.object, value, { kind: 'message', schema: variant.object }),
    ]);
  if (Array.isArray(value) && variant.list !== undefined && numbers.list !== undefined) {
    const number = numbers.list,
      list = variant.list;
    const items: WireType = list.items.kind === 'struct' ? { kind: 'message', schema: list.items } : { kind: 'string' };
    parts.push([
      number,
      () => {
        for (let i = value.length - 1; i >= 0; i--) writeTagged(writer, number, value[i], items);
      },
    ]);
  }
  if (numbers.boolean !== undefined) {
    const number = numbers.boolean;
    parts.push([
      number,
      () => writeTagged(writer, number, value === true || isPlainObject(value), { kind: 'boolean' }),
    ]);
  }
  for (const [, write] of parts.toSorted(([a], [b]) => b - a)) write();
}

function integer(value: unknown): number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

function hasAny(object: Data, schema: StructSchema): boolean {
  for (const name of schema.fields.keys()) if (object[name] !== undefined && object[name] !== null) return true;
  return false;
}

/** Go sorts by bytes; UTF-16 order differs only where surrogates meet. */
function sortedKeys(map: Data): string[] {
  const keys = Object.keys(map);
  return keys.some((key) => /[\ud800-\uffff]/.test(key))
    ? keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : keys.toSorted();
}
