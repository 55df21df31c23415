import { WireReader, WireWriter } from '@kubechain/apimachinery/wire';

/** Reads and writes one protobuf message type. */
export interface MessageType<T> {
  /** Reads the message's fields until the reader's end; absent fields have their proto3 defaults. */
  read(reader: WireReader): T;
  /** Writes the message backwards, without tag and length. */
  write(writer: WireWriter, message: T): void;
}

type FieldKind = 'integer' | 'bool' | 'bytes' | 'key' | 'text' | 'message';

/** One row of a message table: number, kind and default of a field holding a `T`. */
export interface Field<T> {
  readonly number: number;
  readonly kind: FieldKind;
  readonly repeated: boolean;
  readonly initial: T;
  readonly type?: () => MessageType<unknown>;
}

/** Most replies and events without their values are smaller. */
const REPLY_BYTES = 192;
const NO_BYTES: Uint8Array = new Uint8Array(0);
const NOTHING: readonly never[] = Object.freeze([]);

/** int32, int64, uint64, uint32 and enum fields. */
export const integer = (number: number): Field<number> => ({ number, kind: 'integer', repeated: false, initial: 0 });
/** A bool field. */
export const bool = (number: number): Field<boolean> => ({ number, kind: 'bool', repeated: false, initial: false });
/** A bytes field held as bytes. */
export const bytes = (number: number): Field<Uint8Array> => ({
  number,
  kind: 'bytes',
  repeated: false,
  initial: NO_BYTES,
});
/** A bytes field held as a string of the characters 0 to 255. */
export const key = (number: number): Field<string> => ({ number, kind: 'key', repeated: false, initial: '' });
/** A string field. */
export const text = (number: number): Field<string> => ({ number, kind: 'text', repeated: false, initial: '' });
/** Repeated enum fields, packed or not. */
export const integers = (number: number): Field<readonly number[]> => ({
  number,
  kind: 'integer',
  repeated: true,
  initial: NOTHING,
});
/** Repeated bytes held as keys. */
export const keys = (number: number): Field<readonly string[]> => ({
  number,
  kind: 'key',
  repeated: true,
  initial: NOTHING,
});
/** Repeated strings. */
export const texts = (number: number): Field<readonly string[]> => ({
  number,
  kind: 'text',
  repeated: true,
  initial: NOTHING,
});
/** A nested message; `type` is a function so that messages can contain themselves. */
export const nested = <T>(number: number, type: () => MessageType<T>): Field<T | undefined> => ({
  number,
  kind: 'message',
  repeated: false,
  initial: undefined,
  type: type as () => MessageType<unknown>,
});
/** Repeated nested messages. */
export const list = <T>(number: number, type: () => MessageType<T>): Field<readonly T[]> => ({
  number,
  kind: 'message',
  repeated: true,
  initial: NOTHING,
  type: type as () => MessageType<unknown>,
});

/** The message type a table of fields describes. */
export type Fields<T> = { readonly [Name in keyof T]-?: Field<T[Name]> };
/** The TypeScript type of a message's values. */
export type MessageOf<M> = M extends MessageType<infer T> ? T : never;

interface Row extends Field<unknown> {
  readonly name: string;
  readonly tag: number;
}

class TableMessage<T extends object> implements MessageType<T> {
  readonly #byNumber: (Row | undefined)[] = [];
  readonly #descending: Row[] = [];
  readonly #defaults: Record<string, unknown> = {};

  constructor(fields: Fields<T>) {
    for (const [name, field] of Object.entries<Field<unknown>>(fields)) {
      const delimited = field.kind !== 'integer' && field.kind !== 'bool';
      const row: Row = { ...field, name, tag: field.number * 8 + (delimited ? 2 : 0) };
      this.#byNumber[field.number] = row;
      this.#descending.push(row);
      this.#defaults[name] = field.initial;
    }
    this.#descending.sort((left, right) => right.number - left.number);
  }

  read(reader: WireReader): T {
    const message = { ...this.#defaults };
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      const row = this.#byNumber[tag >>> 3];
      if (row === undefined) reader.skip(tag);
      else if (row.repeated) this.#append(message, row, reader, tag & 7);
      else message[row.name] = readValue(row, reader);
    }
    return message as T;
  }

  write(writer: WireWriter, message: T): void {
    const values = message as Record<string, unknown>;
    for (const row of this.#descending) {
      const value = values[row.name];
      if (row.repeated) {
        const items = value as readonly unknown[];
        for (let index = items.length - 1; index >= 0; index--) writeValue(writer, row, items[index]);
      } else if (value !== row.initial && !(row.kind === 'bytes' && (value as Uint8Array).length === 0)) {
        writeValue(writer, row, value);
      }
    }
  }

  #append(message: Record<string, unknown>, row: Row, reader: WireReader, wireType: number): void {
    let items = message[row.name] as unknown[];
    if (items === row.initial) message[row.name] = items = [];
    if (row.kind === 'integer' && wireType === 2) {
      const outer = reader.enter();
      while (!reader.done) items.push(reader.integer());
      reader.leave(outer);
      return;
    }
    items.push(readValue(row, reader));
  }
}

function readValue(row: Row, reader: WireReader): unknown {
  switch (row.kind) {
    case 'integer':
      return reader.integer();
    case 'bool':
      return reader.bool();
    case 'bytes':
      return reader.bytes();
    case 'key':
      return reader.latin1();
    case 'text':
      return reader.text();
    case 'message': {
      const outer = reader.enter();
      const value = (row.type as () => MessageType<unknown>)().read(reader);
      reader.leave(outer);
      return value;
    }
    default:
      return row.kind satisfies never;
  }
}

function writeValue(writer: WireWriter, row: Row, value: unknown): void {
  switch (row.kind) {
    case 'integer':
      writer.integerField(row.tag, value as number);
      return;
    case 'bool':
      writer.integerField(row.tag, value === true ? 1 : 0);
      return;
    case 'bytes':
      writer.bytesField(row.tag, value as Uint8Array);
      return;
    case 'key':
      writer.latin1Field(row.tag, value as string);
      return;
    case 'text':
      writer.textField(row.tag, value as string);
      return;
    case 'message': {
      const before = writer.length;
      (row.type as () => MessageType<unknown>)().write(writer, value);
      writer.close(row.tag, before);
      return;
    }
    default:
      row.kind satisfies never;
  }
}

/** Builds a message type from its table of fields. */
export function message<T extends object>(fields: Fields<T>): MessageType<T> {
  return new TableMessage<T>(fields);
}

/** Decodes one whole message. @throws WireError */
export function decode<T>(type: MessageType<T>, buffer: Buffer): T {
  return type.read(new WireReader(buffer));
}

/** Encodes one message with gRPC's prefix (flag 0 and a 32-bit length) in front of it, in one buffer. */
export function encodeFrame<T>(type: MessageType<T>, value: T, sizeHint = REPLY_BYTES): Buffer {
  const writer = new WireWriter(sizeHint);
  type.write(writer, value);
  return writer.finishFrame();
}

/** Encodes one whole message. */
export function encode<T>(type: MessageType<T>, value: T, sizeHint = REPLY_BYTES): Buffer {
  const writer = new WireWriter(sizeHint);
  type.write(writer, value);
  return writer.finish();
}
