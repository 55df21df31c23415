/** What a client asks a server of kubechain's to switch to, and the name of it in the handshake of TLS (ALPN). */
export const callFramesProtocol = 'kubechain-calls/1';

/** A type and four bytes of length stand before what each frame carries. */
const headBytes = 5;

/** Types of frames. 1 is the compressed message of gRPC, which nobody sends. */
export const CallFrameType = {
  /** A message of the call: the same five bytes stand before it as in gRPC over HTTP/2. */
  message: 0,
  /** From the client: is the server there? Empty. */
  ping: 2,
  /** The answer to it. Empty. */
  pong: 3,
  /** From the server: it is going to stop, and waits for what was asked already. Empty. */
  goingAway: 4,
  /**
   * The sender's last frame. Empty from the client, which has nothing more to ask; from the server a status of gRPC
   * (1) and the text of the error, and the connection ends behind it.
   */
  end: 5,
} as const;

/** Takes the frames of a connection. What it throws, `push` throws. */
export interface CallFrameHandler {
  /** What stands before a frame; answers how many of its `length` bytes are wanted, from its beginning on. */
  head(type: number, length: number): number;
  /** A frame that has come; `payload` is what was wanted of its `length` bytes, and may be kept. */
  frame(type: number, payload: Buffer, length: number): void;
}

const nothing = Buffer.alloc(0);

/** Writes a whole frame. */
export function callFrame(type: number, payload: Uint8Array = nothing): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + payload.length);
  frame[0] = type;
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, headBytes);
  return frame;
}

/**
 * Cuts the bytes of a connection into frames. What they carry is copied, so that the bytes may be read into one buffer
 * that is used again; what is not wanted is passed over as it comes.
 */
export class CallFrameReader {
  readonly #handler: CallFrameHandler;
  readonly #head = Buffer.alloc(headBytes);
  #headFilled = 0;
  #type = 0;
  #length = 0;
  #payload: Buffer | undefined;
  /** Bytes of the frame that have come. */
  #come = 0;

  constructor(handler: CallFrameHandler) {
    this.#handler = handler;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#payload === undefined) {
        at = this.#readHead(chunk, at);
        if (this.#payload === undefined) return;
      }
      const payload: Buffer = this.#payload;
      const end = Math.min(chunk.length, at + this.#length - this.#come);
      if (this.#come < payload.length) chunk.copy(payload, this.#come, at, end);
      this.#come += end - at;
      at = end;
      if (this.#come < this.#length) return;
      this.#payload = undefined;
      this.#handler.frame(this.#type, payload, this.#length);
    }
  }

  #readHead(chunk: Buffer, start: number): number {
    let head = chunk;
    let from = start;
    let at = start + headBytes;
    if (this.#headFilled > 0 || at > chunk.length) {
      at = Math.min(chunk.length, start + headBytes - this.#headFilled);
      chunk.copy(this.#head, this.#headFilled, start, at);
      this.#headFilled += at - start;
      if (this.#headFilled < headBytes) return at;
      head = this.#head;
      from = 0;
    }
    this.#headFilled = 0;
    this.#type = head.readUInt8(from);
    this.#length = head.readUInt32BE(from + 1);
    this.#come = 0;
    const wanted = Math.min(this.#length, this.#handler.head(this.#type, this.#length));
    this.#payload = wanted === 0 ? nothing : Buffer.allocUnsafe(wanted);
    return at;
  }
}
