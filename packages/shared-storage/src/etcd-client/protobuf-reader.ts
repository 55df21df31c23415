import { EtcdError } from './etcd-error.ts';

/**
 * Reads one protobuf message in place. 64-bit integers become numbers, as etcd's revisions and counts stay below 2^53.
 */
export class ProtobufReader {
  readonly #buffer: Buffer;
  #position: number;
  #end: number;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
    this.#position = 0;
    this.#end = buffer.length;
  }

  /** Next field's tag (field number * 8 + wire type), or 0 at the end of the message. */
  tag(): number {
    return this.#position < this.#end ? this.int64() : 0;
  }

  int64(): number {
    const buffer = this.#buffer;
    const start = this.#position;
    let byte = this.#byte(buffer, this.#position++);
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      byte = this.#byte(buffer, this.#position++);
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    // Ten bytes: a negative number, beyond what the sum above can hold exactly.
    if (this.#position - start < 10) return value;
    this.#position = start;
    return Number(this.bigint64());
  }

  bigint64(): bigint {
    let value = 0n;
    let shift = 0n;
    let byte: number;
    do {
      byte = this.#byte(this.#buffer, this.#position++);
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
    } while (byte > 127 && shift < 70n);
    return BigInt.asIntN(64, value);
  }

  #byte(buffer: Buffer, position: number): number {
    const byte = buffer[position];
    if (byte === undefined || position >= this.#end) throw new EtcdError('Internal', 'etcd sent a truncated message');
    return byte;
  }

  bool(): boolean {
    return this.int64() !== 0;
  }

  /** A view into the message, not a copy. */
  bytes(): Buffer {
    const length = this.int64();
    const start = this.#position;
    if (start + length > this.#end) throw new EtcdError('Internal', 'etcd sent a truncated message');
    this.#position = start + length;
    return this.#buffer.subarray(start, start + length);
  }

  string(): string {
    const length = this.int64();
    const start = this.#position;
    if (start + length > this.#end) throw new EtcdError('Internal', 'etcd sent a truncated message');
    this.#position = start + length;
    return this.#buffer.toString('utf8', start, start + length);
  }

  /** Enters a nested message; give the result to `leave`. */
  enter(): number {
    const length = this.int64();
    const outer = this.#end;
    if (this.#position + length > outer) throw new EtcdError('Internal', 'etcd sent a truncated message');
    this.#end = this.#position + length;
    return outer;
  }

  leave(outer: number): void {
    this.#position = this.#end;
    this.#end = outer;
  }

  /** Skips the value of a field that is not wanted. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.int64();
        break;
      case 1:
        this.#position += 8;
        break;
      case 2:
        this.bytes();
        break;
      case 5:
        this.#position += 4;
        break;
      default:
        throw new EtcdError('Internal', `etcd sent a message with wire type ${tag & 7}`);
    }
  }
}
