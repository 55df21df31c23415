import { limits } from '../../limits/limits.ts';
import { manyValues } from '../json/many-values.ts';
import { DecodeError } from '../decode-error.ts';
import { Cursor, type Head } from './cursor.ts';
import {
  BIG_NEGATIVE,
  BIG_POSITIVE,
  BYTES,
  EIGHT_BYTES,
  INDEFINITE,
  LIST,
  MAP,
  ONE_BYTE,
  PRIMITIVE,
  TAG,
  TEXT,
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

class Check {
  readonly #cursor: Cursor;
  readonly #mostValues: number;
  #values = 0;

  constructor(bytes: Uint8Array, mostValues: number) {
    this.#cursor = new Cursor(bytes);
    this.#mostValues = mostValues;
  }

  get at(): number {
    return this.#cursor.at;
  }

  item(depth: number): void {
    const head = this.#head();
    const { info, type } = head;
    switch (type) {
      case BYTES:
      case TEXT:
        if (info === INDEFINITE) this.#chunks(type);
        else this.#content(head);
        return;
      case LIST:
      case MAP:
        this.#checkDepth(depth + 1);
        if (info === INDEFINITE) this.#open(type, depth + 1);
        else this.#counted(head, depth + 1);
        return;
      case TAG:
        this.#tag(head.value, depth);
        return;
      default:
    }
  }

  #content({ exact, type, value: length }: Head): void {
    if (length >= 2 ** 63)
      throw unreadable(`cbor: ${typeNames[type]} length ${exact} is too large, causing integer overflow`);
    if (this.#cursor.bytes.length - this.at < length) throw unreadable(UNEXPECTED_END);
    this.#cursor.at += length;
  }

  #counted({ exact, type, value: count }: Head, depth: number): void {
    if (count >= 2 ** 63)
      throw unreadable(`cbor: ${typeNames[type]} length ${exact} is too large, it would cause integer overflow`);
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
      const first = this.#next();
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
      const next = this.#next();
      if (tag === BIG_POSITIVE || tag === BIG_NEGATIVE) throw notAccepted(TAG, 'bignum');
      if (next >> 5 !== TAG) break;
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
    this.#next();
    return this.#cursor.isBreak();
  }

  #head(): Head {
    const first = this.#next();
    const type = first >> 5;
    const info = first & 0x1f;
    if (info === INDEFINITE && type === PRIMITIVE) throw unreadable('cbor: unexpected "break" code');
    if (info > EIGHT_BYTES && !(info === INDEFINITE && type >= BYTES && type <= MAP))
      throw unreadable(`cbor: invalid additional information ${info} for type ${typeNames[type]}`);
    if (!this.#cursor.hasHead) throw unreadable(UNEXPECTED_END);
    const head = this.#cursor.head();
    if (type === PRIMITIVE && info === ONE_BYTE && head.value < 32)
      throw unreadable(`cbor: invalid simple value ${head.value} for type ${typeNames[type]}`);
    if (type === PRIMITIVE && info > ONE_BYTE) checkFloat(head.value);
    return head;
  }

  /** The first byte of what comes next. */
  #next(): number {
    const first = this.#cursor.bytes[this.#cursor.at];
    if (first === undefined) throw unreadable(UNEXPECTED_END);
    return first;
  }
}

function checkFloat(value: number): void {
  if (Number.isNaN(value)) throw notAccepted(PRIMITIVE, 'floating-point NaN');
  if (!Number.isFinite(value)) throw notAccepted(PRIMITIVE, 'floating-point infinity');
}
