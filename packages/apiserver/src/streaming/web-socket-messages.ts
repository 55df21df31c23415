/** Longest message that is taken (that of golang.org/x/net/websocket). */
const maxMessage = 32 << 20;
const maxControlPayload = 125;
const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9 } as const;

/** What a client's messages are to a server. */
export interface WebSocketMessageEvents {
  /** A whole message, unmasked. */
  message(payload: Buffer, kind: 'text' | 'binary'): void;
  /** Payload of a ping, at most 125 bytes. */
  ping(payload: Buffer): void;
  /** The client closes, or breaks the protocol. Called once; nothing follows. */
  closed(reason: 'close' | 'unmasked' | 'too large'): void;
}

/**
 * Reads the client's side of a WebSocket, message by message (RFC 6455). Holds the message that is being read, at
 * most 32 MiB; a longer one ends the connection.
 */
export class WebSocketMessages {
  readonly #events: WebSocketMessageEvents;
  readonly #buffered: Buffer[] = [];
  #size = 0;
  /** Parts of a message in several frames. */
  readonly #parts: Buffer[] = [];
  #partsSize = 0;
  #kind: 'text' | 'binary' = 'binary';
  #closed = false;

  constructor(events: WebSocketMessageEvents) {
    this.#events = events;
  }

  /** Takes bytes in order; may call back for several messages. */
  push(chunk: Buffer): void {
    if (this.#closed || chunk.length === 0) return;
    this.#buffered.push(chunk);
    this.#size += chunk.length;
    while (!this.#closed && this.#frame());
  }

  /** Takes one whole frame off what is buffered; false when there is none yet. */
  #frame(): boolean {
    const head = this.#peek(14);
    if (head.length < 2) return false;
    const [first = 0, second = 0] = head;
    if ((second & 0x80) === 0) return this.#close('unmasked');
    const code = second & 0x7f;
    const maskAt = code === 127 ? 10 : code === 126 ? 4 : 2;
    if (head.length < maskAt + 4) return false;
    const length = code === 127 ? Number(head.readBigUInt64BE(2)) : code === 126 ? head.readUInt16BE(2) : code;
    const opcode = first & 0x0f;
    if (length + this.#partsSize > maxMessage || (opcode >= opcodes.close && length > maxControlPayload))
      return this.#close('too large');
    const end = maskAt + 4 + length;
    if (this.#size < end) return false;
    const frame = this.#take(end);
    const payload = Buffer.alloc(length);
    for (let i = 0; i < length; i++)
      payload[i] = (frame[maskAt + 4 + i] as number) ^ (frame[maskAt + (i & 3)] as number);
    this.#dispatch(opcode, payload, (first & 0x80) !== 0);
    return true;
  }

  #dispatch(opcode: number, payload: Buffer, final: boolean): void {
    switch (opcode) {
      case opcodes.close:
        this.#close('close');
        return;
      case opcodes.ping:
        this.#events.ping(payload);
        return;
      case opcodes.text:
      case opcodes.binary:
        this.#kind = opcode === opcodes.text ? 'text' : 'binary';
        break;
      case opcodes.continuation:
        break;
      // A pong, or something that nobody has agreed on.
      default:
        return;
    }
    if (final && this.#parts.length === 0) {
      this.#events.message(payload, this.#kind);
      return;
    }
    this.#parts.push(payload);
    this.#partsSize += payload.length;
    if (!final) return;
    const message = Buffer.concat(this.#parts);
    this.#parts.length = 0;
    this.#partsSize = 0;
    this.#events.message(message, this.#kind);
  }

  /** Up to `length` bytes from the beginning, left where they are. */
  #peek(length: number): Buffer {
    const [chunk] = this.#buffered;
    if (chunk === undefined || chunk.length >= length || this.#buffered.length === 1)
      return chunk?.subarray(0, length) ?? Buffer.alloc(0);
    return Buffer.concat(this.#buffered).subarray(0, length);
  }

  #take(length: number): Buffer {
    const all = this.#buffered.length === 1 ? (this.#buffered[0] as Buffer) : Buffer.concat(this.#buffered);
    this.#buffered.length = 0;
    this.#size -= length;
    if (this.#size > 0) this.#buffered.push(all.subarray(length));
    return all.subarray(0, length);
  }

  #close(reason: 'close' | 'unmasked' | 'too large'): false {
    this.#closed = true;
    this.#buffered.length = 0;
    this.#events.closed(reason);
    return false;
  }
}
