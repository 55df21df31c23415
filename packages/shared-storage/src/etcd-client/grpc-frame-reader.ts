import { EtcdError } from './etcd-error.ts';

/**
 * Cuts a byte stream into gRPC messages (1 flag byte, 4 length bytes, message).
 * Holds at most the message that is being received.
 */
export class GrpcFrameReader {
  readonly #message: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes that must be there before anything can be done. */
  #needed = 5;

  constructor(message: (message: Buffer) => void) {
    this.#message = message;
  }

  /** @throws EtcdError when the peer compresses, which was not asked for. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    let buffer = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    this.#needed = 5;
    while (buffer.length >= 5) {
      if (buffer[0] !== 0) throw new EtcdError('Internal', 'etcd sent a compressed message');
      const end = 5 + buffer.readUInt32BE(1);
      if (buffer.length < end) {
        this.#needed = end;
        break;
      }
      this.#message(buffer.subarray(5, end));
      buffer = buffer.subarray(end);
    }
    this.#size = buffer.length;
    this.#chunks = this.#size === 0 ? [] : [buffer];
  }
}
