/** Writes protobuf messages forward, nested ones as they come; strings are copied once a level. */
export class MessageWriter {
  readonly #chunks: Buffer[] = [];

  string(field: number, value: unknown): void {
    if (typeof value === 'string' && value !== '') this.bytes(field, Buffer.from(value));
  }

  strings(field: number, values: unknown): void {
    if (Array.isArray(values)) for (const value of values) this.bytes(field, Buffer.from(String(value)));
  }

  boolean(field: number, value: unknown): void {
    if (value === true) this.#chunks.push(varint(field << 3), varint(1));
  }

  /** A member of a oneof: false is written too. */
  explicitBoolean(field: number, value: boolean): void {
    this.#chunks.push(varint(field << 3), varint(value ? 1 : 0));
  }

  integer(field: number, value: unknown): void {
    if (typeof value === 'number' && value !== 0) this.#chunks.push(varint(field << 3), varint(value));
  }

  double(field: number, value: unknown): void {
    if (typeof value === 'number' && value !== 0) this.explicitDouble(field, value);
  }

  /** A member of a oneof: zero is written too. */
  explicitDouble(field: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#chunks.push(varint((field << 3) | 1), bytes);
  }

  /** A nested message; written even when it is empty. */
  message(field: number, write: (writer: MessageWriter) => void): void {
    const inner = new MessageWriter();
    write(inner);
    this.bytes(field, inner.finish());
  }

  bytes(field: number, value: Buffer): void {
    this.#chunks.push(varint((field << 3) | 2), varint(value.length), value);
  }

  finish(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
