import type { Duplex } from 'node:stream';
import { WebSocketReader, type WebSocketEvents } from './web-socket-reader.ts';

/** How the payload of messages is marked. */
export type MessageKind = 'text' | 'binary';

const opcodes: Readonly<Record<MessageKind, number>> = { text: 0x1, binary: 0x2 };
const opClose = 0x8;
const opPong = 0xa;
const closeNormal = 1000;
const closeProtocolError = 1002;

/** What a WebSocket is made of. */
export interface WebSocketOptions {
  /** What came after the handshake. */
  readonly head: Uint8Array;
  readonly kind: MessageKind;
  /**
   * Who takes the client's messages, and is told when there will be none any more. Default: they are skipped without
   * being kept.
   */
  readonly messages?: { readonly message: NonNullable<WebSocketEvents['message']>; closed(): void };
}

/**
 * The server's end of a WebSocket: every `write` is one unmasked message. Pings of the client are answered, its close
 * ends the connection; its messages go to who wants them, and are ignored otherwise (httpstream/wsstream
 * IgnoreReceives).
 *
 * `write` is false while the socket's buffer (its high-water mark) is full; the socket's own `drain` and `close`
 * follow.
 */
export class WebSocket {
  readonly #socket: Duplex;
  readonly #kind: MessageKind;
  #ended = false;

  /** Takes a socket whose handshake is done. */
  constructor(socket: Duplex, { head, kind, messages }: WebSocketOptions) {
    this.#socket = socket;
    this.#kind = kind;
    const reader = new WebSocketReader({
      ...(messages === undefined ? {} : { message: messages.message }),
      ping: (payload) => {
        if (!this.#ended) this.#frame(opPong, payload);
      },
      closed: (reason) => {
        if (reason === 'unmasked') this.#frame(opClose, closePayload(closeProtocolError));
        this.end();
      },
    });
    socket.once('end', () => {
      this.end();
    });
    socket.on('error', () => {
      socket.destroy();
    });
    if (messages !== undefined)
      socket.once('close', () => {
        messages.closed();
      });
    if (head.length > 0) {
      // Who takes messages gets them when this is made.
      if (messages === undefined) reader.push(Buffer.from(head));
      else socket.unshift(head);
    }
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk);
    });
  }

  get writableEnded(): boolean {
    return this.#ended;
  }

  /** Sends one message; false when the socket's buffer is full. */
  write(message: Uint8Array): boolean {
    return this.#ended || this.#frame(opcodes[this.#kind], message);
  }

  /** Says goodbye and closes the connection once that is out. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const socket = this.#socket;
    if (socket.destroyed) return;
    this.#frame(opClose, closePayload(closeNormal));
    socket.end(() => {
      socket.destroy();
    });
  }

  /** Head and payload leave together, and the payload is not copied. */
  #frame(opcode: number, payload: Uint8Array): boolean {
    const socket = this.#socket;
    if (!socket.writable) return true;
    socket.cork();
    socket.write(frameHead(opcode, payload.length));
    const open = payload.length === 0 || socket.write(payload);
    socket.uncork();
    return open;
  }
}

/** One whole message, as a server sends it. */
export function messageFrame(kind: MessageKind, payload: Uint8Array): Buffer {
  return Buffer.concat([frameHead(opcodes[kind], payload.length), payload]);
}

/** A server's goodbye. */
export function closeFrame(): Buffer {
  const payload = closePayload(closeNormal);
  return Buffer.concat([frameHead(opClose, payload.length), payload]);
}

function frameHead(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.of(0x80 | opcode, length);
  if (length < 1 << 16) return Buffer.of(0x80 | opcode, 126, length >> 8, length & 0xff);
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

function closePayload(code: number): Buffer {
  return Buffer.of(code >> 8, code & 0xff);
}
