/** Bytes before each message of gRPC: a flag and the length. */
export const grpcPrefixBytes = 5;

/**
 * Looks at what stands before a message: whether it is compressed, and its length in bytes.
 * @throws whatever the call fails with, where such a message is not taken
 */
export type GRPCPrefixCheck = (compressed: boolean, length: number) => void;

/**
 * Cuts the bytes of a gRPC call into its messages (gRPC over HTTP/2, Length-Prefixed-Message). Holds at most the one
 * that is being received; a message is a view of the bytes that it came in.
 */
export class GRPCMessages {
  readonly #check: GRPCPrefixCheck;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes that must be there before anything can be done. */
  #needed = grpcPrefixBytes;

  constructor(check: GRPCPrefixCheck) {
    this.#check = check;
  }

  /** Adds received bytes; the messages that they complete. @throws what the check throws */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Buffer[] = [];
    if (this.#size < this.#needed) return messages;
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    this.#needed = grpcPrefixBytes;
    while (bytes.length >= grpcPrefixBytes) {
      const length = bytes.readUInt32BE(1);
      this.#check(bytes[0] !== 0, length);
      const end = grpcPrefixBytes + length;
      if (bytes.length < end) {
        this.#needed = end;
        break;
      }
      messages.push(bytes.subarray(grpcPrefixBytes, end));
      bytes = bytes.subarray(end);
    }
    this.#size = bytes.length;
    this.#chunks = this.#size === 0 ? [] : [bytes];
    return messages;
  }
}
