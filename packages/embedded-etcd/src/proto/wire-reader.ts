/**
 * Raised for bytes that are not a well-formed protobuf message; the gRPC layer answers it as `Internal`, as grpc-go
 * does.
 */
export class WireFormatError extends Error {
  override readonly name = 'WireFormatError';
}

const TWO_32 = 4294967296;

/**
 * A cursor over one protobuf message. 64-bit integers come out as numbers,
 * exact between -2^53 and 2^53. Byte strings are views of the input, not copies.
 */
export class WireReader {
  readonly #buffer: Buffer;
  #position: number;
  readonly #end: number;

  constructor(buffer: Buffer, start = 0, end = buffer.length) {
    this.#buffer = buffer;
    this.#position = start;
    this.#end = end;
  }

  /** Whether there is another field to read. */
  more(): boolean {
    return this.#position < this.#end;
  }

  /** A varint as a signed 64-bit integer: revisions, limits, lease ids, enums and tags. */
  varint(): number {
    const buffer = this.#buffer;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#position >= this.#end) throw new WireFormatError('proto: unexpected EOF in a varint');
      const byte = buffer[this.#position++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) {
        low |= bits << shift;
      } else if (shift === 28) {
        low |= (bits & 0x0f) << 28;
        high = bits >> 4;
      } else {
        high |= bits << (shift - 32);
      }
      if (byte < 0x80) return high === 0 ? low >>> 0 : high * TWO_32 + (low >>> 0);
    }
    throw new WireFormatError('proto: a varint is longer than 10 bytes');
  }

  /** The bounds of a length-delimited field, as a reader of its own. */
  nested(): WireReader {
    const end = this.#delimitedEnd();
    const inner = new WireReader(this.#buffer, this.#position, end);
    this.#position = end;
    return inner;
  }

  /** Everything up to the end. */
  rest(): Uint8Array {
    const view = this.#buffer.subarray(this.#position, this.#end);
    this.#position = this.#end;
    return view;
  }

  /** A byte field as a view of the input. */
  bytes(): Uint8Array {
    const end = this.#delimitedEnd();
    const view = this.#buffer.subarray(this.#position, end);
    this.#position = end;
    return view;
  }

  /** A byte field as a string of the characters 0 to 255, whose `<` is byte order: how keys are held. */
  key(): string {
    const end = this.#delimitedEnd();
    const text = this.#buffer.toString('latin1', this.#position, end);
    this.#position = end;
    return text;
  }

  /** A UTF-8 string field. */
  text(): string {
    const end = this.#delimitedEnd();
    const text = this.#buffer.toString('utf8', this.#position, end);
    this.#position = end;
    return text;
  }

  /** Steps over a field this program does not know. */
  skip(wireType: number): void {
    switch (wireType) {
      case 0:
        this.varint();
        return;
      case 1:
        this.#advance(8);
        return;
      case 2:
        this.#position = this.#delimitedEnd();
        return;
      case 5:
        this.#advance(4);
        return;
      default:
        throw new WireFormatError(`proto: illegal wireType ${wireType}`);
    }
  }

  #advance(count: number): void {
    if (this.#position + count > this.#end) throw new WireFormatError('proto: unexpected EOF');
    this.#position += count;
  }

  #delimitedEnd(): number {
    const length = this.varint();
    const end = this.#position + length;
    if (length < 0 || end > this.#end) throw new WireFormatError('proto: unexpected EOF');
    return end;
  }
}
