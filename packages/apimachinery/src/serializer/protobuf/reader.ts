/** Bytes that are no protobuf message; the text is gogo's. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Reads protobuf fields from a slice of a buffer, without copying. */
export class Reader {
  readonly #buffer: Buffer;
  readonly #end: number;
  #at: number;

  constructor(buffer: Buffer, start = 0, end = buffer.length) {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** Field number and wire type in one: `number << 3 | type`. */
  tag(): number {
    const tag = this.varint();
    if (tag >>> 3 === 0) throw new WireError(`proto: illegal tag ${tag >>> 3} (wire type ${tag & 7})`);
    return tag;
  }

  /** An unsigned integer up to 2^53; bits beyond that are lost, so it is for tags, lengths and booleans. */
  varint(): number {
    let value = 0,
      factor = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
    throw new WireError('proto: integer overflow');
  }

  /** A signed 64-bit integer; bigint where a number would not be exact. */
  int64(): number | bigint {
    let low = 0n,
      shift = 0n;
    const start = this.#at;
    const quick = this.#smallVarint();
    if (quick >= 0) return quick;
    this.#at = start;
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      low |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        const value = BigInt.asIntN(64, low);
        return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
          ? Number(value)
          : value;
      }
      shift += 7n;
    }
    throw new WireError('proto: integer overflow');
  }

  int32(): number {
    return Number(BigInt.asIntN(32, BigInt(this.int64())));
  }

  double(): number {
    this.#need(8);
    const value = this.#buffer.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string {
    const [start, end] = this.#range();
    // A loop beats the call into native code for the many short strings.
    if (end - start < 24) {
      let text = '';
      for (let i = start; i < end; i++) {
        const code = this.#buffer[i] ?? 0;
        if (code >= 0x80) return this.#buffer.toString('utf8', start, end);
        text += String.fromCharCode(code);
      }
      return text;
    }
    return this.#buffer.toString('utf8', start, end);
  }

  /** A view, not a copy. */
  bytes(): Buffer {
    const [start, end] = this.#range();
    return this.#buffer.subarray(start, end);
  }

  message(): Reader {
    const [start, end] = this.#range();
    return new Reader(this.#buffer, start, end);
  }

  /** Passes over a field of any type, groups included. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.int64();
        return;
      case 1:
        this.#need(8);
        this.#at += 8;
        return;
      case 2:
        this.#range();
        return;
      case 3:
        for (;;) {
          const inner = this.tag();
          if ((inner & 7) === 4) return;
          this.skip(inner);
        }
      case 5:
        this.#need(4);
        this.#at += 4;
        return;
      default:
        throw new WireError(`proto: illegal wireType ${tag & 7}`);
    }
  }

  /** Up to four bytes, or -1. */
  #smallVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  }

  #range(): [start: number, end: number] {
    const length = this.varint();
    this.#need(length);
    const start = this.#at;
    this.#at += length;
    return [start, this.#at];
  }

  #byte(): number {
    this.#need(1);
    return this.#buffer[this.#at++] ?? 0;
  }

  #need(size: number): void {
    if (this.#at + size > this.#end) throw new WireError('unexpected EOF');
  }
}
