import { bytesOfText } from '../text/utf8.ts';

const TWO_31 = 2 ** 31;
const TWO_32 = 2 ** 32;
const TWO_63 = 2 ** 63;

/** Below this many characters a loop over ASCII beats the call into native code. */
const SHORT_TEXT_CHARACTERS = 40;

/**
 * Writes a protobuf message from its last byte to its first, so that the length of a nested message is known when its
 * tag is written: nothing is measured twice. Callers write fields in descending order, and items from the last.
 *
 * ```
 *   buffer  [ free ………… | tag length value of field 1 | tag length value of field 2 ]
 *                       ↑ position moves left
 * ```
 * A tag is `number << 3 | wireType`: 0 for integers, 1 for doubles, 2 for all that has a length.
 */
export class WireWriter {
  #buffer: Buffer;
  #position: number;

  /** @param sizeHint expected bytes; the buffer grows when there are more */
  constructor(sizeHint = 1024) {
    this.#buffer = Buffer.allocUnsafe(sizeHint);
    this.#position = sizeHint;
  }

  /** Bytes written so far; a difference of two readings is the length of what lies between. */
  get length(): number {
    return this.#buffer.length - this.#position;
  }

  /** What was written: a part of the writer's buffer, which must not be written to any more. */
  finish(): Buffer {
    return this.#buffer.subarray(this.#position);
  }

  /** The same as one uncompressed gRPC message: a zero and 32 bits of length in front. */
  finishFrame(): Buffer {
    const { length } = this;
    this.#take(5);
    this.#buffer[this.#position] = 0;
    this.#buffer.writeUInt32BE(length, this.#position + 1);
    return this.finish();
  }

  byte(value: number): void {
    if (this.#position === 0) this.#grow(1);
    this.#buffer[--this.#position] = value;
  }

  /** A number of four bytes, the highest first. */
  uint32BE(value: number): void {
    this.#take(4);
    this.#buffer.writeUInt32BE(value, this.#position);
  }

  /** An unsigned integer up to 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      if (this.#position === 0) this.#grow(1);
      this.#buffer[--this.#position] = value;
    } else if (value < 0x4000) {
      this.#take(2);
      this.#buffer[this.#position] = (value & 0x7f) | 0x80;
      this.#buffer[this.#position + 1] = value >>> 7;
    } else if (value < TWO_31) this.#shortVarint(value);
    else this.#longVarint(value >>> 0, Math.floor(value / TWO_32) >>> 0);
  }

  /** A signed integer of 64 bits, whatever the field's size: negative ones take ten bytes. Larger ones are cut. */
  integer(value: number | bigint): void {
    if (typeof value === 'bigint')
      this.#longVarint(Number(BigInt.asUintN(32, value)), Number(BigInt.asUintN(32, value >> 32n)));
    else if (value >= 0 && value < TWO_31) this.varint(value);
    else if (value >= TWO_63) this.#longVarint(0xffff_ffff, 0x7fff_ffff);
    else this.#longVarint(value >>> 0, Math.floor(value / TWO_32) >>> 0);
  }

  double(value: number): void {
    this.#take(8);
    this.#buffer.writeDoubleLE(value, this.#position);
  }

  /** Bytes as they are, without tag and length. */
  raw(value: Uint8Array): void {
    const { length } = value;
    if (this.#position < length) this.#grow(length);
    this.#buffer.set(value, (this.#position -= length));
  }

  /** UTF-8 without tag and length; returns how many bytes it is. */
  text(value: string): number {
    const length = value.length;
    if (length < SHORT_TEXT_CHARACTERS) {
      if (this.#position < length) this.#grow(length);
      const buffer = this.#buffer;
      const start = this.#position - length;
      let i = 0;
      for (; i < length; i++) {
        const code = value.charCodeAt(i);
        if (code >= 0x80) break;
        buffer[start + i] = code;
      }
      if (i === length) {
        this.#position = start;
        return length;
      }
    }
    const bytes = bytesOfText(value);
    if (bytes !== undefined) {
      this.raw(bytes);
      return bytes.length;
    }
    const size = Buffer.byteLength(value, 'utf8');
    this.#take(size);
    this.#buffer.write(value, this.#position, size, 'utf8');
    return size;
  }

  /** An integer with its tag. */
  integerField(tag: number, value: number | bigint): void {
    this.integer(value);
    this.varint(tag);
  }

  /** A double with its tag. */
  doubleField(tag: number, value: number): void {
    this.double(value);
    this.varint(tag);
  }

  /** Bytes with tag and length. */
  bytesField(tag: number, value: Uint8Array): void {
    this.raw(value);
    this.varint(value.length);
    this.varint(tag);
  }

  /** A string with tag and length. */
  textField(tag: number, value: string): void {
    this.varint(this.text(value));
    this.varint(tag);
  }

  /** Characters 0 to 255 as bytes, with tag and length. */
  latin1Field(tag: number, value: string): void {
    this.#take(value.length);
    this.#buffer.write(value, this.#position, value.length, 'latin1');
    this.varint(value.length);
    this.varint(tag);
  }

  /** Puts length and tag before a message that began when `length` was `before`. */
  close(tag: number, before: number): void {
    this.varint(this.length - before);
    this.varint(tag);
  }

  /** 15 to 31 bits. */
  #shortVarint(value: number): void {
    this.#take(value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5);
    const buffer = this.#buffer;
    let at = this.#position;
    for (; value >= 0x80; value >>>= 7) buffer[at++] = (value & 0x7f) | 0x80;
    buffer[at] = value;
  }

  /** 64 bits by their unsigned halves. */
  #longVarint(low: number, high: number): void {
    const size = varintSize(low, high);
    this.#take(size);
    const buffer = this.#buffer;
    const last = this.#position + size - 1;
    for (let at = this.#position; at < last; at++) {
      buffer[at] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    buffer[last] = low & 0x7f;
  }

  /** Moves the position, for the caller to fill what is then free. */
  #take(count: number): void {
    if (this.#position < count) this.#grow(count);
    this.#position -= count;
  }

  #grow(count: number): void {
    const used = this.length;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + count + 64));
    const start = grown.length - used;
    this.#buffer.copy(grown, start, this.#position);
    this.#buffer = grown;
    this.#position = start;
  }
}

function varintSize(low: number, high: number): number {
  return high === 0 ? Math.max(1, Math.ceil((32 - Math.clz32(low)) / 7)) : Math.ceil((64 - Math.clz32(high)) / 7);
}
