/** Bytes kept free in front of a message for the gRPC frame header (1 flag byte, 4 length bytes). */
const frameHeaderBytes = 5;

/**
 * Writes one protobuf message, ready to be sent as one gRPC frame.
 *
 * Nested messages get a length of fixed width (4 bytes, a padded varint, which every protobuf decoder accepts), so
 * that their size need not be known before they are written and no bytes are copied twice.
 */
export class ProtobufWriter {
  #buffer: Buffer;
  #position = frameHeaderBytes;

  /** @param sizeHint expected size in bytes; the buffer grows when it is exceeded. */
  constructor(sizeHint = 256) {
    this.#buffer = Buffer.allocUnsafe(frameHeaderBytes + sizeHint);
  }

  #reserve(bytes: number): void {
    const needed = this.#position + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#position);
    this.#buffer = larger;
  }

  #varint(value: number): void {
    this.#reserve(10);
    while (value > 127) {
      this.#buffer[this.#position++] = (value % 128) | 128;
      value = Math.floor(value / 128);
    }
    this.#buffer[this.#position++] = value;
  }

  /** Non-negative integer below 2^53; 0 is the default and is left out. */
  int64(field: number, value: number | undefined): void {
    if (value === undefined || value === 0) return;
    this.#varint(field * 8);
    this.#varint(value);
  }

  /** As `int64`, but 0 is written too (members of a oneof). */
  int64Present(field: number, value: number): void {
    this.#varint(field * 8);
    this.#varint(value);
  }

  /** Any 64-bit integer (lease ids use all bits). */
  bigint64(field: number, value: bigint | undefined): void {
    if (value === undefined || value === 0n) return;
    this.#varint(field * 8);
    this.#reserve(10);
    let rest = BigInt.asUintN(64, value);
    while (rest > 127n) {
      this.#buffer[this.#position++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#buffer[this.#position++] = Number(rest);
  }

  bool(field: number, value: boolean | undefined): void {
    if (value !== true) return;
    this.#varint(field * 8);
    this.#varint(1);
  }

  bytes(field: number, value: Uint8Array | undefined): void {
    if (value === undefined || value.length === 0) return;
    this.#varint(field * 8 + 2);
    this.#varint(value.length);
    this.#reserve(value.length);
    this.#buffer.set(value, this.#position);
    this.#position += value.length;
  }

  string(field: number, value: string | undefined): void {
    if (value === undefined || value === '') return;
    const length = Buffer.byteLength(value);
    this.#varint(field * 8 + 2);
    this.#varint(length);
    this.#reserve(length);
    this.#position += this.#buffer.write(value, this.#position, 'utf8');
  }

  /** Starts a nested message; pass the result to `end`. */
  begin(field: number): number {
    this.#varint(field * 8 + 2);
    this.#reserve(4);
    const start = this.#position;
    this.#position += 4;
    return start;
  }

  end(start: number): void {
    const length = this.#position - start - 4;
    this.#buffer[start] = (length & 127) | 128;
    this.#buffer[start + 1] = ((length >>> 7) & 127) | 128;
    this.#buffer[start + 2] = ((length >>> 14) & 127) | 128;
    this.#buffer[start + 3] = (length >>> 21) & 127;
  }

  /** The uncompressed gRPC frame: header and message. */
  frame(): Buffer {
    this.#buffer[0] = 0;
    this.#buffer.writeUInt32BE(this.#position - frameHeaderBytes, 1);
    return this.#buffer.subarray(0, this.#position);
  }
}
