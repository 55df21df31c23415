const INITIAL_BYTES = 4096;

/**
 * A protobuf writer that fills its buffer from the end: the length of a nested message is known when its
 * header is written, so nothing is measured twice. Callers write fields in descending order.
 *
 *     buffer  [ free …………… | value of field 1 | value of field 2 ]
 *                           ↑ position moves left
 */
export class BackwardWriter {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #position = INITIAL_BYTES;

  /** Bytes written so far; a difference of two readings is the length of what lies between. */
  get length(): number {
    return this.#buffer.length - this.#position;
  }

  /** What was written. The memory is the writer's: it must not be used after the next write. */
  finish(): Buffer {
    return this.#buffer.subarray(this.#position);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[--this.#position] = value;
  }

  /** An unsigned integer up to 2^53. */
  varint(value: number): void {
    this.#reserve(10);
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    let at = (this.#position -= size);
    for (; value >= 0x80; value = Math.floor(value / 0x80)) this.#buffer[at++] = (value % 0x80) | 0x80;
    this.#buffer[at] = value;
  }

  /** A signed integer of up to 64 bits, negative ones as ten bytes (int32 and int64 alike). */
  signedVarint(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) {
      this.varint(value);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.bytes(Uint8Array.from(bytes));
  }

  double(value: number): void {
    this.#reserve(8);
    this.#buffer.writeDoubleLE(value, (this.#position -= 8));
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, (this.#position -= value.length));
  }

  /** UTF-8 text without its length; returns the length in bytes. */
  text(value: string): number {
    const length = value.length;
    this.#reserve(length);
    const start = this.#position - length;
    // Most strings are short and ASCII, for which a loop beats the call into native code.
    if (length < 40) {
      let i = 0;
      for (; i < length; i++) {
        const code = value.charCodeAt(i);
        if (code >= 0x80) break;
        this.#buffer[start + i] = code;
      }
      if (i === length) {
        this.#position = start;
        return length;
      }
    }
    const size = Buffer.byteLength(value, 'utf8');
    this.#reserve(size);
    this.#buffer.write(value, (this.#position -= size), 'utf8');
    return size;
  }

  #reserve(size: number): void {
    if (this.#position >= size) return;
    const used = this.length;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + size));
    this.#buffer.copy(grown, grown.length - used, this.#position);
    this.#position = grown.length - used;
    this.#buffer = grown;
  }
}
