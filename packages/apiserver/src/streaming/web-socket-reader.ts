/** Why nothing more is read: the client's goodbye, a frame without a mask, a message beyond the limit. */
export type WebSocketClose = 'close' | 'unmasked' | 'too large';

/** What a client's frames are to a server. */
export interface WebSocketEvents {
  /** A whole message, unmasked. Without this, messages are skipped and not kept. */
  message?(payload: Buffer, kind: 'text' | 'binary'): void;
  /** Payload of a ping, unmasked; beyond 125 bytes it is cut off. */
  ping(payload: Buffer): void;
  /** The client closes, or breaks the protocol in a way that ends the connection. Called once; nothing follows. */
  closed(reason: WebSocketClose): void;
}

const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9 } as const;
const longestHead = 14;
const maxControlPayload = 125;
/** Longest message that golang.org/x/net/websocket receives. */
const maxMessage = 32 << 20;

/**
 * Reads the client's side of a WebSocket (RFC 6455), in time linear in the bytes, however they are cut. Holds one frame
 * head, one ping, and, where messages are wanted, the message that is being read, at most 32 MiB, as it comes in.
 *
 *     head (2…14 bytes) → payload: skipped, or kept until the message or ping is whole → head → …
 */
export class WebSocketReader {
  readonly #events: WebSocketEvents;
  readonly #head = Buffer.alloc(longestHead);
  #headLength = 0;
  /** Of the frame that is being read. */
  #opcode = 0;
  #final = false;
  #mask = 0;
  #position = 0;
  #left = 0;
  /** The message that is being read, of one frame or several, unmasked; grows by doubling. */
  #message = Buffer.alloc(0);
  #messageLength = 0;
  #kind: 'text' | 'binary' = 'binary';
  readonly #ping = Buffer.alloc(maxControlPayload);
  #pingLength = 0;
  #closed = false;

  constructor(events: WebSocketEvents) {
    this.#events = events;
  }

  /** Takes bytes in order; may call back for several frames. The chunk is not kept, and not changed. */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length && !this.#closed) {
      if (this.#left > 0) offset = this.#payload(chunk, offset);
      else {
        this.#head[this.#headLength++] = chunk[offset++] as number;
        if (this.#headIsComplete()) this.#beginFrame();
      }
    }
  }

  #headIsComplete(): boolean {
    if (this.#headLength < 2) return false;
    const second = this.#head[1] as number;
    // Without a mask the frame is refused; its length does not matter any more.
    return (second & 0x80) === 0 || this.#headLength === 2 + lengthBytes(second & 0x7f) + 4;
  }

  #beginFrame(): void {
    const [first, second] = this.#head as unknown as [number, number];
    this.#opcode = first & 0x0f;
    if ((second & 0x80) === 0) {
      this.#close('unmasked');
      return;
    }
    if (this.#opcode === opcodes.close) {
      this.#close('close');
      return;
    }
    const length = payloadLength(this.#head, second & 0x7f);
    if (this.#opcode < opcodes.close && length + this.#messageLength > maxMessage) {
      this.#close('too large');
      return;
    }
    if (this.#opcode === opcodes.text) this.#kind = 'text';
    else if (this.#opcode === opcodes.binary) this.#kind = 'binary';
    this.#final = (first & 0x80) !== 0;
    this.#mask = this.#headLength - 4;
    this.#position = 0;
    this.#left = length;
    this.#headLength = 0;
    if (length === 0) this.#endFrame();
  }

  /** Takes what belongs to the frame; returns where the rest begins. */
  #payload(chunk: Uint8Array, offset: number): number {
    const end = Math.min(chunk.length, offset + this.#left);
    if (this.#opcode === opcodes.ping) {
      const kept = Math.min(end, offset + maxControlPayload - this.#pingLength);
      this.#unmask(chunk.subarray(offset, kept), this.#ping, this.#pingLength);
      this.#pingLength += kept - offset;
    } else if (this.#keepsFrame()) {
      this.#grow(end - offset);
      this.#unmask(chunk.subarray(offset, end), this.#message, this.#messageLength);
      this.#messageLength += end - offset;
    }
    this.#position += end - offset;
    this.#left -= end - offset;
    if (this.#left === 0) this.#endFrame();
    return end;
  }

  /** Whether the frame is part of a message, not of what nobody has agreed on, and somebody wants it. */
  #keepsFrame(): boolean {
    return this.#events.message !== undefined && this.#opcode <= opcodes.binary;
  }

  /** Makes room for so many bytes: exactly them where they are all, so that most messages are copied once. */
  #grow(length: number): void {
    const needed = this.#messageLength + length;
    if (needed <= this.#message.length) return;
    const whole = length === this.#left;
    const grown = Buffer.allocUnsafe(whole ? needed : Math.max(needed, 2 * this.#message.length));
    this.#message.copy(grown, 0, 0, this.#messageLength);
    this.#message = grown;
  }

  #unmask(from: Uint8Array, to: Buffer, at: number): void {
    for (let i = 0; i < from.length; i++)
      to[at + i] = (from[i] as number) ^ (this.#head[this.#mask + ((this.#position + i) & 3)] as number);
  }

  #endFrame(): void {
    if (this.#opcode === opcodes.ping) {
      const payload = Buffer.from(this.#ping.subarray(0, this.#pingLength));
      this.#pingLength = 0;
      this.#events.ping(payload);
    } else if (this.#keepsFrame() && this.#final) {
      const message = this.#message.subarray(0, this.#messageLength);
      this.#message = Buffer.alloc(0);
      this.#messageLength = 0;
      this.#events.message?.(message, this.#kind);
    }
  }

  #close(reason: WebSocketClose): void {
    this.#closed = true;
    this.#message = Buffer.alloc(0);
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
