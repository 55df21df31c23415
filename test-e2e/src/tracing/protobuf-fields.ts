/** A field of a protobuf message as it stands on the wire: a number, or bytes. */
export type WireValue = bigint | Buffer;

/** A message's fields by number, without their types: what a test reads that trusts no encoder's own decoder. */
export class ProtobufFields {
  readonly #fields = new Map<number, WireValue[]>();

  constructor(message: Buffer) {
    let at = 0;
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = message.readUInt8(at++);
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < message.length) {
      const key = Number(varint());
      const values = this.#fields.get(key >> 3) ?? [];
      this.#fields.set(key >> 3, values);
      switch (key & 7) {
        case 0:
          values.push(varint());
          break;
        case 1:
          values.push(message.readBigUInt64LE(at));
          at += 8;
          break;
        case 2: {
          const length = Number(varint());
          values.push(message.subarray(at, at + length));
          at += length;
          break;
        }
        case 5:
          values.push(BigInt(message.readUInt32LE(at)));
          at += 4;
          break;
        default:
          throw new RangeError(`wire type ${key & 7}`);
      }
    }
  }

  messages(field: number): ProtobufFields[] {
    return this.#bytes(field).map((bytes) => new ProtobufFields(bytes));
  }
  text(field: number): string {
    return this.#bytes(field)[0]?.toString('utf8') ?? '';
  }
  hex(field: number): string {
    return this.#bytes(field)[0]?.toString('hex') ?? '';
  }
  number(field: number): bigint | undefined {
    return this.#fields.get(field)?.find((value) => typeof value === 'bigint');
  }

  #bytes(field: number): Buffer[] {
    return (this.#fields.get(field) ?? []).filter((value) => Buffer.isBuffer(value));
  }
}
