import type { Schema } from '../../schema/schema.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';
import { bytesOfText } from '../../text/utf8.ts';
import { exactHalf } from './half-float.ts';
import {
  BYTES,
  CBOR_PREFIX,
  EIGHT_BYTES,
  FALSE,
  FOUR_BYTES,
  LATER_BASE64,
  LIST,
  MAP,
  NEGATIVE,
  NULL,
  ONE_BYTE,
  POSITIVE,
  PRIMITIVE,
  TAG,
  TRUE,
  TWO_BYTES,
} from './wire.ts';

const FIRST_SIZE = 1_024;

/**
 * Writes data as the reference does: texts as byte strings, numbers in the fewest bytes that have them, bytes that a
 * schema tells of as bytes under a tag that says that they are base64 in JSON.
 */
export class CBORWriter {
  #buffer: Buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;
  readonly #sorted: boolean;

  /** `sorted`: equal objects are equal bytes, whatever the order of their members. Default: as the members come. */
  constructor({ sorted = false }: { readonly sorted?: boolean } = {}) {
    this.#sorted = sorted;
  }

  /** What was written. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** The tag that each object begins with. */
  prefix(): void {
    this.raw(CBOR_PREFIX);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** The head of a list, of which `count` items follow. */
  list(count: number): void {
    this.#head(LIST, count);
  }

  /** The head of a map, of which `count` keys and values follow. */
  map(count: number): void {
    this.#head(MAP, count);
  }

  text(text: string): void {
    const bytes = bytesOfText(text);
    const length = bytes?.length ?? Buffer.byteLength(text);
    this.#head(BYTES, length);
    this.#reserve(length);
    if (bytes === undefined) this.#buffer.write(text, this.#length, 'utf8');
    else this.#buffer.set(bytes, this.#length);
    this.#length += length;
  }

  value(value: unknown, schema?: Schema): void {
    switch (typeof value) {
      case 'string':
        if (schema?.kind === 'scalar' && schema.type === 'bytes') this.#bytes(value);
        else this.text(value);
        return;
      case 'number':
        this.#number(value, schema);
        return;
      case 'bigint':
        if (value < 0n) this.#head(NEGATIVE, -1n - value);
        else this.#head(POSITIVE, value);
        return;
      case 'boolean':
        this.#head(PRIMITIVE, value ? TRUE : FALSE);
        return;
      default:
    }
    if (Array.isArray(value)) {
      this.list(value.length);
      const items = schema?.kind === 'list' ? schema.items : undefined;
      for (const item of value) this.value(item, items);
    } else if (isPlainObject(value)) this.#object(value, schema);
    else this.#head(PRIMITIVE, NULL);
  }

  #object(object: Record<string, unknown>, schema: Schema | undefined): void {
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    this.map(keys.length);
    for (const key of this.#sorted ? inOrder(keys) : keys) {
      this.text(key);
      this.value(object[key], memberSchema(schema, key));
    }
  }

  #bytes(base64: string): void {
    const bytes = Buffer.from(base64, 'base64');
    this.#head(TAG, LATER_BASE64);
    this.#head(BYTES, bytes.length);
    this.raw(bytes);
  }

  #number(value: number, schema: Schema | undefined): void {
    const float = schema?.kind === 'scalar' && (schema.type === 'double' || schema.type === 'number');
    if (!float && Number.isSafeInteger(value) && !Object.is(value, -0)) {
      if (value < 0) this.#head(NEGATIVE, -1 - value);
      else this.#head(POSITIVE, value);
      return;
    }
    const half = exactHalf(value);
    if (half !== undefined) {
      this.#first(PRIMITIVE, TWO_BYTES, 2);
      this.#length = this.#buffer.writeUInt16BE(half, this.#length);
    } else if (Math.fround(value) === value) {
      this.#first(PRIMITIVE, FOUR_BYTES, 4);
      this.#length = this.#buffer.writeFloatBE(value, this.#length);
    } else {
      this.#first(PRIMITIVE, EIGHT_BYTES, 8);
      this.#length = this.#buffer.writeDoubleBE(value, this.#length);
    }
  }

  #head(type: number, value: number | bigint): void {
    if (value < ONE_BYTE) this.#first(type, Number(value), 0);
    else if (value <= 0xff) {
      this.#first(type, ONE_BYTE, 1);
      this.#length = this.#buffer.writeUInt8(Number(value), this.#length);
    } else if (value <= 0xffff) {
      this.#first(type, TWO_BYTES, 2);
      this.#length = this.#buffer.writeUInt16BE(Number(value), this.#length);
    } else if (value <= 0xffff_ffff) {
      this.#first(type, FOUR_BYTES, 4);
      this.#length = this.#buffer.writeUInt32BE(Number(value), this.#length);
    } else {
      this.#first(type, EIGHT_BYTES, 8);
      this.#length = this.#buffer.writeBigUInt64BE(BigInt(value), this.#length);
    }
  }

  /** The first byte of an item, with room for the `size` bytes behind it. */
  #first(type: number, info: number, size: number): void {
    this.#reserve(1 + size);
    this.#buffer[this.#length++] = (type << 5) | info;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + size));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  switch (schema?.kind) {
    case 'struct':
      return schema.fields.get(key)?.schema;
    case 'map':
      return schema.values;
    case 'any':
      return schema.variant === undefined ? undefined : memberSchema(schema.variant.object, key);
    default:
      return undefined;
  }
}

/** Keys by their bytes as they are written: shorter ones first (RFC 8949, section 4.2.1). */
function inOrder(keys: readonly string[]): string[] {
  return keys
    .map((key) => ({ key, bytes: Buffer.from(key) }))
    .sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes))
    .map(({ key }) => key);
}
