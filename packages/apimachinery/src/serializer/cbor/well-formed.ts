import { limits } from '../../limits/limits.ts';
import { manyValues } from '../json/many-values.ts';
import { DecodeError } from '../decode-error.ts';
import { halfToNumber } from './half-float.ts';
import {
  BIG_NEGATIVE,
  BIG_POSITIVE,
  BREAK,
  BYTES,
  EIGHT_BYTES,
  FOUR_BYTES,
  INDEFINITE,
  LIST,
  MAP,
  ONE_BYTE,
  PRIMITIVE,
  TAG,
  TEXT,
  TWO_BYTES,
  typeNames,
} from './wire.ts';

/** Entries of a map that the reference takes. */
const MAX_PAIRS = 2_097_152;
const UNEXPECTED_END = 'unexpected EOF';

/** What may be read: so much of a stream that a client sends, or all of what is stored. */
export interface WellFormedOptions {
  /** Refuse more values than a client may send. */
  readonly outside: boolean;
}

/**
 * Checks that the bytes are one item of CBOR that has all its parts, as the reference checks before it decodes any.
 * @throws DecodeError `Unreadable` in the words of its library
 * @throws StatusError 413 for more values than a client may send
 */
export function checkWellFormed(bytes: Uint8Array, { outside }: WellFormedOptions): void {
  if (bytes.length === 0) throw unreadable('EOF');
  const check = new Check(bytes, outside ? limits.bodyValues.value : Infinity);
  check.item(0);
  if (check.at < bytes.length)
    throw unreadable(`cbor: ${bytes.length - check.at} bytes of extraneous data starting at index ${check.at}`);
}

function unreadable(message: string): DecodeError {
  return new DecodeError('Unreadable', message);
}

function notAccepted(type: number, what: string): DecodeError {
  return unreadable(`cbor: data item of cbor type ${typeNames[type]} is not accepted by protocol: ${what}`);
}

interface Argument {
  readonly type: number;
  readonly info: number;
  readonly value: number;
}

class Check {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #mostValues: number;
  #values = 0;
  at = 0;

  constructor(bytes: Uint8Array, mostValues: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#mostValues = mostValues;
  }

  item(depth: number): void {
    const { info, type, value } = this.#head();
    switch (type) {
      case BYTES:
      case TEXT:
        if (info === INDEFINITE) this.#chunks(type);
        else this.#content(type, value);
        return;
      case LIST:
      case MAP:
        this.#checkDepth(depth + 1);
        if (info === INDEFINITE) this.#open(type, depth + 1);
        else this.#counted(type, value, depth + 1);
        return;
      case TAG:
        this.#tag(value, depth);
        return;
      default:
    }
  }

  #content(type: number, length: number): void {
    if (length >= 2 ** 63)
      throw unreadable(`cbor: ${typeNames[type]} length ${this.#last()} is too large, causing integer overflow`);
    if (this.#bytes.length - this.at < length) throw unreadable(UNEXPECTED_END);
    this.at += length;
  }

  #counted(type: number, count: number, depth: number): void {
    if (count >= 2 ** 63)
      throw unreadable(`cbor: ${typeNames[type]} length ${this.#last()} is too large, it would cause integer overflow`);
    if (type === LIST && count > 2 ** 31 - 1)
      throw unreadable('cbor: exceeded max number of elements 2147483647 for CBOR array');
    if (type === MAP && count > MAX_PAIRS)
      throw unreadable(`cbor: exceeded max number of key-value pairs ${MAX_PAIRS} for CBOR map`);
    for (let i = 0; i < count; i++) {
      this.#count();
      this.item(depth);
      if (type === MAP) this.item(depth);
    }
  }

  #open(type: number, depth: number): void {
    let items = 0;
    for (; !this.#isBreak(); items++) {
      if (type === LIST || items % 2 === 0) this.#count();
      this.item(depth);
    }
    if (type === MAP && items % 2 === 1) throw unreadable('cbor: unexpected "break" code');
  }

  #chunks(type: number): void {
    while (!this.#isBreak()) {
      const first = this.#bytes[this.at] as number;
      if (first >> 5 !== type)
        throw unreadable(`cbor: wrong element type ${typeNames[first >> 5]} for indefinite-length ${typeNames[type]}`);
      if ((first & 0x1f) === INDEFINITE)
        throw unreadable(`cbor: indefinite-length ${typeNames[type]} chunk is not definite-length`);
      this.#count();
      this.item(0);
    }
  }

  /** Tags may stand before each other, which does not take this deeper. */
  #tag(first: number, depth: number): void {
    let inner = depth;
    for (let tag = first; ;) {
      if (this.at >= this.#bytes.length) throw unreadable(UNEXPECTED_END);
      if (tag === BIG_POSITIVE || tag === BIG_NEGATIVE) throw notAccepted(TAG, 'bignum');
      if ((this.#bytes[this.at] as number) >> 5 !== TAG) break;
      tag = this.#head().value;
      this.#checkDepth(++inner);
    }
    this.item(inner);
  }

  #checkDepth(depth: number): void {
    const { value } = limits.cborDepth;
    if (depth > value) throw unreadable(`cbor: exceeded max nested level ${value}`);
  }

  #count(): void {
    if (++this.#values > this.#mostValues) throw manyValues();
  }

  #isBreak(): boolean {
    if (this.at >= this.#bytes.length) throw unreadable(UNEXPECTED_END);
    if (this.#bytes[this.at] !== BREAK) return false;
    this.at++;
    return true;
  }

  #head(): Argument {
    if (this.at >= this.#bytes.length) throw unreadable(UNEXPECTED_END);
    const first = this.#bytes[this.at++] as number;
    const type = first >> 5;
    const info = first & 0x1f;
    if (info < ONE_BYTE) return { type, info, value: info };
    switch (info) {
      case ONE_BYTE: {
        const value = this.#view.getUint8(this.#argument(1));
        if (type === PRIMITIVE && value < 32)
          throw unreadable(`cbor: invalid simple value ${value} for type ${typeNames[type]}`);
        return { type, info, value };
      }
      case TWO_BYTES: {
        const value = this.#view.getUint16(this.#argument(2));
        if (type === PRIMITIVE) checkFloat(halfToNumber(value));
        return { type, info, value };
      }
      case FOUR_BYTES: {
        const at = this.#argument(4);
        if (type === PRIMITIVE) checkFloat(this.#view.getFloat32(at));
        return { type, info, value: this.#view.getUint32(at) };
      }
      case EIGHT_BYTES: {
        const at = this.#argument(8);
        if (type === PRIMITIVE) checkFloat(this.#view.getFloat64(at));
        return { type, info, value: Number(this.#view.getBigUint64(at)) };
      }
      case INDEFINITE:
        if (type === PRIMITIVE) throw unreadable('cbor: unexpected "break" code');
        if (type >= BYTES && type <= MAP) return { type, info, value: 0 };
        break;
      default:
    }
    throw unreadable(`cbor: invalid additional information ${info} for type ${typeNames[type]}`);
  }

  /** Where the number behind the first byte stands, which is passed. */
  #argument(size: number): number {
    const at = this.at;
    if (this.#bytes.length - at < size) throw unreadable(UNEXPECTED_END);
    this.at += size;
    return at;
  }

  /** The number that was read last, of eight bytes. */
  #last(): string {
    return String(this.#view.getBigUint64(this.at - 8));
  }
}

function checkFloat(value: number): void {
  if (Number.isNaN(value)) throw notAccepted(PRIMITIVE, 'floating-point NaN');
  if (!Number.isFinite(value)) throw notAccepted(PRIMITIVE, 'floating-point infinity');
}
