const TWO_32 = 4294967296;
const TWO_53 = 9007199254740992;

/**
 * Writes a protobuf message from its last byte to its first, so that a nested
 * message's length is known when its tag is written and nothing is measured twice.
 *
 * ```
 *   buffer  [ free ........ | tag len payload ... ]
 *                           ^ position moves left
 * ```
 * Fields are therefore written in descending order. `sizeHint` saves copies
 * when a caller knows about how large the message becomes.
 */
export class WireWriter {
  #buffer: Buffer;
  #position: number;

  constructor(sizeHint = 192) {
    this.#buffer = Buffer.allocUnsafe(sizeHint);
    this.#position = sizeHint;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#buffer.length - this.#position;
  }

  /** The message; the writer must not be used afterwards. */
  finish(): Buffer {
    return this.#buffer.subarray(this.#position);
  }

  /** A varint of a signed 64-bit integer (negative numbers take ten bytes). */
  varint(value: number): void {
    if (value >= 0 && value < 128) {
      this.#reserve(1);
      this.#buffer[--this.#position] = value;
      return;
    }
    this.#reserve(10);
    let low = (value % TWO_32) | 0;
    let high = Math.floor(value / TWO_32);
    if (value >= TWO_53 * 1024) high = 0x7fffffff;
    high >>>= 0;
    low >>>= 0;
    const size = varintSize(low, high);
    const buffer = this.#buffer;
    const start = (this.#position -= size);
    for (let index = 0; index < size - 1; index++) {
      buffer[start + index] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    buffer[start + size - 1] = low & 0x7f;
  }

  /** Raw bytes without tag or length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#position -= bytes.length;
    this.#buffer.set(bytes, this.#position);
  }

  /** A tag: `field << 3 | wireType`, precomputed by the caller. */
  tag(tag: number): void {
    this.varint(tag);
  }

  /** A length-delimited byte field. */
  bytes(tag: number, value: Uint8Array): void {
    this.raw(value);
    this.varint(value.length);
    this.varint(tag);
  }

  /** A key held as characters 0 to 255. */
  key(tag: number, value: string): void {
    this.#reserve(value.length);
    this.#position -= value.length;
    this.#buffer.write(value, this.#position, 'latin1');
    this.varint(value.length);
    this.varint(tag);
  }

  /** A UTF-8 string field. */
  text(tag: number, value: string): void {
    this.bytes(tag, Buffer.from(value, 'utf8'));
  }

  /** An integer field. */
  integer(tag: number, value: number): void {
    this.varint(value);
    this.varint(tag);
  }

  /** Closes a nested message that began when `length` was `before`. */
  close(tag: number, before: number): void {
    this.varint(this.length - before);
    this.varint(tag);
  }

  /** A fixed 32-bit big-endian number: the gRPC frame length. */
  uint32BigEndian(value: number): void {
    this.#reserve(4);
    this.#position -= 4;
    this.#buffer.writeUInt32BE(value, this.#position);
  }

  #reserve(count: number): void {
    if (this.#position >= count) return;
    const used = this.length;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + count + 64));
    const start = grown.length - used;
    this.#buffer.copy(grown, start, this.#position);
    this.#buffer = grown;
    this.#position = start;
  }
}

function varintSize(low: number, high: number): number {
  if (high === 0) {
    if (low < 1 << 7) return 1;
    if (low < 1 << 14) return 2;
    if (low < 1 << 21) return 3;
    if (low < 1 << 28) return 4;
    return 5;
  }
  if (high < 1 << 3) return 5;
  if (high < 1 << 10) return 6;
  if (high < 1 << 17) return 7;
  if (high < 1 << 24) return 8;
  return high < 0x80000000 ? 9 : 10;
}
