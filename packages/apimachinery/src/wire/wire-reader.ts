import { limits } from '../limits/limits.ts';
import { textOfBytes } from '../text/utf8.ts';
import { WireError } from './wire-error.ts';

const TWO_32 = 2 ** 32;
const TWO_63 = 2 ** 63;
const MAX_DEPTH = limits.protobufDepth.value;
const MAX_FIELD_NUMBER = 2 ** 29 - 1;
const END_GROUP = 4;

/** Below this many bytes a loop over ASCII beats the call into native code. */
const SHORT_TEXT_BYTES = 24;

/**
 * A cursor over one protobuf message, and over those within it. Nothing is copied: byte fields are views of the input.
 *
 * ```
 *   for (let tag = reader.tag(); tag !== 0; tag = reader.tag())
 *     if (tag === 10) name = reader.text();
 *     else if (tag === 18) { const outer = reader.enter(); …; reader.leave(outer); }
 *     else reader.skip(tag);
 * ```
 * All methods throw WireError for what is cut short, too long or of no known wire type.
 */
export class WireReader {
  readonly #buffer: Buffer;
  #position: number;
  #end: number;
  #depth: number;
  /** The halves of the last long varint. */
  #low = 0;
  #high = 0;
  /** How many more items may be read. */
  #items = Infinity;
  /** How many more bytes entries of maps may read beyond their ends, all together: what is there is read again. */
  #beyond: number;

  /** @param depth of the message within others that have readers of their own; counts against `protobufDepth` */
  constructor(buffer: Buffer, start = 0, end = buffer.length, depth = 0) {
    this.#buffer = buffer;
    this.#position = start;
    this.#end = end;
    this.#depth = depth;
    this.#beyond = end - start;
  }

  /** Allows so many items of lists and entries of maps. */
  allowItems(count: number): void {
    this.#items = count;
  }

  /** Counts an item; false where there are more than allowed. */
  item(): boolean {
    return --this.#items >= 0;
  }

  /** How many messages the cursor is in, besides the outermost. */
  get depth(): number {
    return this.#depth;
  }

  /** Whether the message has no more fields. */
  get done(): boolean {
    return this.#position >= this.#end;
  }

  /**
   * The next field's `number << 3 | wireType`; 0 at the end of the message. Numbers are cut to 32 bits, as gogo's code
   * does; those that no field can have are all read as the largest that one can.
   * @param message its name, for the error that tells of a number of no field
   */
  tag(message?: string): number {
    const position = this.#position;
    if (position >= this.#end) return 0;
    const tag = this.#buffer[position] as number;
    // Almost all field numbers are below 16.
    if (tag >= 8 && tag < 0x80) {
      this.#position = position + 1;
      return tag;
    }
    return this.#longTag(message);
  }

  /** An unsigned integer, exact up to 2^53: lengths, tags, sizes. */
  varint(): number {
    const value = this.#smallVarint();
    if (value >= 0) return value;
    this.#longVarint();
    return this.#high * TWO_32 + this.#low;
  }

  /** A signed 64-bit integer as a number, exact between -2^53 and 2^53: revisions, counts, enums. */
  integer(): number {
    const value = this.#smallVarint();
    if (value >= 0) return value;
    this.#longVarint();
    return (this.#high | 0) * TWO_32 + this.#low;
  }

  /** A signed 64-bit integer; bigint where a number would not be exact. */
  int64(): number | bigint {
    const value = this.integer();
    return Number.isSafeInteger(value) ? value : this.#exact();
  }

  /** A signed 64-bit integer, e.g. the id of a lease. */
  bigint64(): bigint {
    const value = this.integer();
    return Number.isSafeInteger(value) ? BigInt(value) : this.#exact();
  }

  /** The lower 32 bits of an integer, signed: what an int32 field holds. */
  int32(): number {
    const value = this.integer();
    return value === (value | 0) ? value : this.#low | 0;
  }

  bool(): boolean {
    return this.varint() !== 0;
  }

  double(): number {
    const position = this.#advance(8);
    return this.#buffer.readDoubleLE(position);
  }

  /** A UTF-8 string; bytes that are none are kept ({@link textOfBytes}). */
  text(): string {
    const end = this.#lengthEnd();
    const start = this.#position;
    this.#position = end;
    const buffer = this.#buffer;
    if (end - start >= SHORT_TEXT_BYTES) return textOfBytes(buffer, start, end);
    let text = '';
    for (let at = start; at < end; at++) {
      const code = buffer[at] as number;
      if (code >= 0x80) return textOfBytes(buffer, start, end);
      text += String.fromCharCode(code);
    }
    return text;
  }

  /** Bytes as a string of the characters 0 to 255, whose `<` is byte order. */
  latin1(): string {
    const end = this.#lengthEnd();
    const text = this.#buffer.toString('latin1', this.#position, end);
    this.#position = end;
    return text;
  }

  /** A byte field: a view, not a copy. */
  bytes(): Buffer {
    const end = this.#lengthEnd();
    const view = this.#buffer.subarray(this.#position, end);
    this.#position = end;
    return view;
  }

  /** What is left of the message, as a view. */
  rest(): Buffer {
    const view = this.#buffer.subarray(this.#position, this.#end);
    this.#position = this.#end;
    return view;
  }

  /** Goes into a nested message (or a packed list); the result is for `leave`. */
  enter(): number {
    const end = this.#lengthEnd();
    if (++this.#depth > MAX_DEPTH) throw new WireError('proto: exceeded max depth');
    const outer = this.#end;
    this.#end = end;
    return outer;
  }

  /** Goes on behind the message that `enter` went into, however much of it was read. */
  leave(outer: number): void {
    this.#position = this.#end;
    this.#end = outer;
    this.#depth--;
  }

  /**
   * Goes into an entry of a map; the result is where it ends. As in gogo's code, nothing within is held to that end but
   * fields of other numbers than a key's and a value's: these may be cut off by the end of the message around only.
   *
   * ```
   *   const end = reader.enterEntry();
   *   for (let number = reader.entryField(end); number !== 0; number = reader.entryField(end)) …
   *   reader.leaveEntry(end);
   * ```
   */
  enterEntry(): number {
    const end = this.#lengthEnd();
    if (++this.#depth > MAX_DEPTH) throw new WireError('proto: exceeded max depth');
    return end;
  }

  /**
   * The number of the entry's next field whose value is to be read, whatever its wire type: 1, a key, or 2, a value; 0
   * at the end. Others are passed over.
   */
  entryField(end: number): 0 | 1 | 2 {
    while (this.#position < end) {
      const start = this.#position;
      const low = this.#lowOfVarint();
      const number = low >>> 3;
      // What is cut off of the number is bits 29 to 31: of a varint that long, `#high` has them.
      if ((number === 1 || number === 2) && (this.#position - start < 5 || (this.#high & 7) === 0)) return number;
      this.skip(low);
      if (this.#position > end) throw new WireError('unexpected EOF');
    }
    return 0;
  }

  /**
   * Goes on behind the entry, however much was read. @throws WireError once entries have read more beyond their ends
   * than there is: each entry of seven bytes could have the rest of the input as its key, and messages within messages
   * of entries would be read without an end.
   */
  leaveEntry(end: number): void {
    this.#beyond -= Math.max(0, this.#position - end);
    if (this.#beyond < 0) throw new WireError('unexpected EOF');
    this.#position = end;
    this.#depth--;
  }

  /** Passes over the value of a field of any wire type, groups with all that is in them. */
  skip(tag: number): void {
    // A count, not calls: groups nest as deep as there are bytes.
    let groups = 0;
    for (let type = tag & 7; ; type = this.#lowOfVarint() & 7) {
      switch (type) {
        case 0:
          this.varint();
          break;
        case 1:
          this.#advance(8);
          break;
        case 2:
          this.#position = this.#lengthEnd();
          break;
        case 3:
          groups++;
          break;
        case 4:
          if (groups-- === 0) throw new WireError('proto: unexpected end of group');
          break;
        case 5:
          this.#advance(4);
          break;
        default:
          throw new WireError(`proto: illegal wireType ${type}`);
      }
      if (groups === 0) return;
    }
  }

  /** The lower 32 bits of a varint, unsigned; `#high` has the others where it has more than four bytes. */
  #lowOfVarint(): number {
    const value = this.#smallVarint();
    if (value >= 0) return value;
    this.#longVarint();
    return this.#low;
  }

  /** Where a length-delimited value ends; the cursor is then where it begins. */
  #lengthEnd(): number {
    const length = this.#smallVarint();
    if (length < 0 || length > this.#end - this.#position) return this.#longLengthEnd(length);
    return this.#position + length;
  }

  /** The same of a length of more bytes than `#smallVarint` reads, or of one that is too large. */
  #longLengthEnd(small: number): number {
    const length = small < 0 ? this.varint() : small;
    if (length > this.#end - this.#position)
      throw new WireError(length >= TWO_63 ? 'proto: negative length found during unmarshaling' : 'unexpected EOF');
    return this.#position + length;
  }

  #longTag(message: string | undefined): number {
    let low = this.#smallVarint();
    let high = 0;
    if (low < 0) {
      this.#longVarint();
      low = this.#low;
      high = this.#high;
    }
    const type = low & 7;
    const number = (low >>> 3) | (high << 29);
    if (number > 0) return ((Math.min(number, MAX_FIELD_NUMBER) << 3) | type) >>> 0;
    // Who reads messages refuses it for what it is, before its number is looked at.
    if (type === END_GROUP) return END_GROUP;
    const name = message === undefined ? '' : `${message}: `;
    throw new WireError(`proto: ${name}illegal tag ${number} (wire type ${(BigInt(high) << 32n) | BigInt(low)})`);
  }

  /** Passes over a number of bytes and tells where they begin. */
  #advance(count: number): number {
    const position = this.#position;
    if (count > this.#end - position) throw new WireError('unexpected EOF');
    this.#position = position + count;
    return position;
  }

  #exact(): bigint {
    return (BigInt(this.#high | 0) << 32n) | BigInt(this.#low);
  }

  /** A varint of up to four bytes, which is a small integer to the engine; -1, and nothing is read, for all others. */
  #smallVarint(): number {
    const buffer = this.#buffer;
    let position = this.#position;
    // Four bytes ahead are within the buffer or not there: what lies behind the end is not taken.
    let byte = buffer[position++] as number;
    let value = byte & 0x7f;
    if (byte >= 0x80) {
      byte = buffer[position++] as number;
      value |= (byte & 0x7f) << 7;
      if (byte >= 0x80) {
        byte = buffer[position++] as number;
        value |= (byte & 0x7f) << 14;
        if (byte >= 0x80) {
          byte = buffer[position++] as number;
          value |= (byte & 0x7f) << 21;
          if (byte >= 0x80) return -1;
        }
      }
    }
    if (position > this.#end) return -1;
    this.#position = position;
    return value;
  }

  /** Reads up to ten bytes into `#low` and `#high`, both unsigned; bits beyond the 64th are lost, as Go loses them. */
  #longVarint(): void {
    const buffer = this.#buffer;
    const end = this.#end;
    let position = this.#position;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (position >= end) throw new WireError('unexpected EOF');
      const byte = buffer[position++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) {
        low |= bits << shift;
      } else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else {
        high |= bits << (shift - 32);
      }
      if (byte < 0x80) {
        this.#position = position;
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    throw new WireError('proto: integer overflow');
  }
}
