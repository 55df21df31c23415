import type { Duplex } from 'node:stream';
import { WebSocketReader } from './web-socket-reader.ts';

/** How the payload of messages is marked. */
export type MessageKind = 'text' | 'binary';

const opcodes: Readonly<Record<MessageKind, number>> = { text: 0x1, binary: 0x2 };
const opClose = 0x8;
const opPong = 0xa;
const closeNormal = 1000;
const closeProtocolError = 1002;

/**
 * The server's end of a WebSocket that only the server talks on: every `write` is one unmasked message. What the client
 * says is ignored but for pings, which are answered, and its close, which ends the connection (httpstream/wsstream
 * IgnoreReceives).
 *
 * `write` is false while the socket's buffer (its high-water mark) is full; the socket's own `drain` and `close` follow.
 */
export class WebSocket {
  readonly #socket: Duplex;
  readonly #kind: MessageKind;
  #ended = false;

  /** Takes a socket whose handshake is done, and what came after it. */
  constructor(socket: Duplex, { head, kind }: { readonly head: Uint8Array; readonly kind: MessageKind }) {
    this.#socket = socket;
    this.#kind = kind;
    const reader = new WebSocketReader({
      ping: (payload) => { if (!this.#ended) this.#frame(opPong, payload); },
      closed: (reason) => {
        if (reason === 'unmasked') this.#frame(opClose, closePayload(closeProtocolError));
        this.end();
      },
    });
    if (head.length > 0) reader.push(head);
    socket.on('data', (chunk: Buffer) => { reader.push(chunk); });
    socket.once('end', () => { this.end(); });
  }

  get writableEnded(): boolean { return this.#ended; }

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
    socket.end(() => { socket.destroy(); });
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

function frameHead(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.of(0x80 | opcode, length);
  if (length < 1 << 16) return Buffer.of(0x80 | opcode, 126, length >> 8, length & 0xff);
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

function closePayload(code: number): Buffer { return Buffer.of(code >> 8, code & 0xff); }
