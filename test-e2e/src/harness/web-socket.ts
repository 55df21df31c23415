import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';

/** One frame as it came. */
export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

export const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A client's end of a WebSocket that keeps every frame that it gets. */
export class WebSocketClient {
  readonly headers: IncomingHttpHeaders;
  readonly frames: Frame[] = [];
  /** Resolves when the server has closed the connection. */
  readonly ended: Promise<void>;
  readonly #socket: Duplex;
  #rest: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;

  constructor(socket: Duplex, head: Buffer, headers: IncomingHttpHeaders) {
    this.#socket = socket;
    this.headers = headers;
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
        this.#wake();
      });
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
    this.#take(head);
  }

  /** The JSON of all text frames. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into arbitrary events
  get events(): { type: string; object: any }[] {
    return this.frames
      .filter((frame) => frame.opcode === opcodes.text)
      .map((frame) => JSON.parse(frame.payload.toString('utf8')) as { type: string; object: unknown });
  }

  /** Resolves when `count` frames have come; rejects after `timeoutMs`. */
  async atLeast(count: number, timeoutMs = 60_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (this.frames.length < count) {
      if (this.#socket.destroyed || Date.now() >= deadline) throw new Error(`${this.frames.length} of ${count} frames`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Sends a frame, masked as clients must; payload up to 125 bytes. */
  send(opcode: number, payload: Buffer): void {
    const mask = Buffer.of(7, 11, 13, 17);
    this.#socket.write(
      Buffer.concat([
        Buffer.of(0x80 | opcode, 0x80 | payload.length),
        mask,
        payload.map((byte, i) => byte ^ (mask[i & 3] as number)),
      ]),
    );
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const bytes = this.#rest;
      const code = (bytes[1] ?? 0) & 0x7f;
      const headLength = code === 127 ? 10 : code === 126 ? 4 : 2;
      if (bytes.length < headLength) break;
      const length = code === 127 ? Number(bytes.readBigUInt64BE(2)) : code === 126 ? bytes.readUInt16BE(2) : code;
      if (bytes.length < headLength + length) break;
      this.frames.push({
        opcode: (bytes[0] as number) & 0x0f,
        payload: bytes.subarray(headLength, headLength + length),
      });
      this.#rest = bytes.subarray(headLength + length);
    }
    this.#wake();
  }
}
