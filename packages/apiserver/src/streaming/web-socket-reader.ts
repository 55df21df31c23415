/** What a client's frame is to a server that waits for no messages. */
export interface WebSocketReaderEvents {
  /** Payload of a ping, at most 125 bytes, unmasked. */
  ping(payload: Buffer): void;
  /** The client closes, or breaks the protocol in a way that ends the connection. Called once; nothing follows. */
  closed(reason: 'close' | 'unmasked' | 'too large'): void;
}

const opClose = 0x8;
const opPing = 0x9;
const maxControlPayload = 125;
/** Longest message that golang.org/x/net/websocket receives. */
const maxPayload = 32 << 20;

/**
 * Reads the client's side of a WebSocket whose messages nobody wants: data is skipped without being kept, pings and
 * the end are told. Holds at most one frame head (14 bytes) and one ping.
 *
 *     head (2…14 bytes) → payload: skipped, or kept for a ping → head → …
 */
export class WebSocketReader {
  readonly #events: WebSocketReaderEvents;
  readonly #head = Buffer.alloc(14);
  #headLength = 0;
  #ping: number[] | undefined = undefined;
  #mask = 0;
  #position = 0;
  #left = 0;
  #closed = false;

  constructor(events: WebSocketReaderEvents) {
    this.#events = events;
  }

  /** Takes bytes in order; may call back for several frames. */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length && !this.#closed) {
      if (this.#left > 0) offset = this.#payload(chunk, offset);
      else this.#head[this.#headLength++] = chunk[offset++] as number;
      if (this.#left === 0 && this.#headIsComplete()) this.#begin();
    }
  }

  #headIsComplete(): boolean {
    if (this.#headLength < 2) return false;
    const second = this.#head[1] as number;
    // Without a mask the frame is refused; its length does not matter any more.
    return (second & 0x80) === 0 || this.#headLength === 2 + lengthBytes(second & 0x7f) + 4;
  }

  #begin(): void {
    const [first, second] = this.#head as unknown as [number, number];
    if ((second & 0x80) === 0) {
      this.#close('unmasked');
      return;
    }
    const opcode = first & 0x0f;
    if (opcode === opClose) {
      this.#close('close');
      return;
    }
    const length = payloadLength(this.#head, second & 0x7f);
    if (opcode < opClose && length > maxPayload) {
      this.#close('too large');
      return;
    }
    this.#mask = this.#headLength - 4;
    this.#position = 0;
    this.#left = length;
    this.#ping = opcode === opPing ? [] : undefined;
    this.#headLength = 0;
    if (length === 0) this.#endFrame();
  }

  #payload(chunk: Uint8Array, offset: number): number {
    const end = Math.min(chunk.length, offset + this.#left);
    if (this.#ping !== undefined) {
      for (let i = offset; i < end && this.#ping.length < maxControlPayload; i++) {
        this.#ping.push((chunk[i] as number) ^ (this.#head[this.#mask + (this.#position++ & 3)] as number));
      }
    }
    this.#left -= end - offset;
    if (this.#left === 0) this.#endFrame();
    return end;
  }

  #endFrame(): void {
    if (this.#ping !== undefined) this.#events.ping(Buffer.from(this.#ping));
    this.#ping = undefined;
  }

  #close(reason: 'close' | 'unmasked' | 'too large'): void {
    this.#closed = true;
    this.#events.closed(reason);
  }
}

function lengthBytes(code: number): number {
  return code === 127 ? 8 : code === 126 ? 2 : 0;
}

function payloadLength(head: Buffer, code: number): number {
  if (code === 126) return head.readUInt16BE(2);
  return code === 127 ? Number(head.readBigUInt64BE(2) & 0x7fff_ffff_ffff_ffffn) : code;
}
