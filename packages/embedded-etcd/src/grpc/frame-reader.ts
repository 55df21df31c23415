import { EtcdError, GrpcCode } from '../errors/etcd-error.ts';
import { MAX_REQUEST_BYTES } from './request-size.ts';

const PREFIX_BYTES = 5;
/** What etcd's gRPC server accepts: its request limit and 512 KiB for what surrounds it. */
const MAX_MESSAGE_BYTES = MAX_REQUEST_BYTES + 512 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Cuts a call's bytes into messages: each is one flag byte, a 32-bit length and
 * the payload. Holds at most one message that is not complete yet.
 */
export class FrameReader {
  #pending: Buffer = NOTHING;
  readonly #parts: Buffer[] = [];
  #partBytes = 0;

  /** Adds received bytes; answers the messages they complete. @throws EtcdError */
  push(chunk: Buffer): Buffer[] {
    const messages: Buffer[] = [];
    this.#parts.push(chunk);
    this.#partBytes += chunk.length;
    const wanted = this.#pending.length >= PREFIX_BYTES ? PREFIX_BYTES + this.#pending.readUInt32BE(1) : PREFIX_BYTES;
    if (this.#pending.length + this.#partBytes < wanted) return messages;
    let buffer = this.#join();
    while (buffer.length >= PREFIX_BYTES) {
      const length = checkPrefix(buffer);
      if (buffer.length < PREFIX_BYTES + length) break;
      messages.push(buffer.subarray(PREFIX_BYTES, PREFIX_BYTES + length));
      buffer = buffer.subarray(PREFIX_BYTES + length);
    }
    this.#pending = buffer;
    return messages;
  }

  #join(): Buffer {
    const only = this.#parts[0] as Buffer;
    const joined =
      this.#pending.length === 0 && this.#parts.length === 1 ? only : Buffer.concat([this.#pending, ...this.#parts]);
    this.#parts.length = 0;
    this.#partBytes = 0;
    return joined;
  }
}

function checkPrefix(buffer: Buffer): number {
  if (buffer[0] !== 0) throw new EtcdError(GrpcCode.unimplemented, 'grpc: compressed messages are not supported');
  const length = buffer.readUInt32BE(1);
  if (length > MAX_MESSAGE_BYTES) {
    throw new EtcdError(
      GrpcCode.resourceExhausted,
      `grpc: received message larger than max (${length} vs. ${MAX_MESSAGE_BYTES})`,
    );
  }
  return length;
}
