import type { Duplex } from 'node:stream';
import { createInflate, type Inflate } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';
import type { SpdyStream, SpdyStreamSink } from './spdy-client.ts';
import { HeaderBlocks, SpdyReader, dataFrame, pingFrame, synReplyFrame } from './spdy-frames.ts';

/** A stream that the peer has opened. */
export interface OpenedStream {
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly stream: SpdyStream;
}

/** Header blocks of a connection, longest; more is not read. */
const longestHeaders = 64 * 1024;

/**
 * The server's end of a SPDY/3.1 connection, as kubelets have it: takes every stream that the peer opens, and asks who
 * is to get what comes on it. The socket is this object's; it ends with the connection.
 */
export class SpdyServer {
  readonly #socket: Duplex;
  readonly #onStream: (opened: OpenedStream) => SpdyStreamSink;
  readonly #blocks = new HeaderBlocks();
  readonly #inflate: Inflate;
  readonly #sinks = new Map<number, SpdyStreamSink>();
  /** What comes on streams whose headers are still being read. */
  readonly #early = new Map<number, ((sink: SpdyStreamSink) => void)[]>();
  #inflated = Buffer.alloc(0);
  #reading: Promise<void> = Promise.resolve();

  /** Takes a socket whose upgrade is done, and what came after it. */
  constructor(socket: Duplex, head: Buffer, onStream: (opened: OpenedStream) => SpdyStreamSink) {
    this.#socket = socket;
    this.#onStream = onStream;
    this.#inflate = createInflate({ dictionary: spdyDictionary() });
    this.#inflate.on('data', (chunk: Buffer) => {
      this.#inflated = Buffer.concat([this.#inflated, chunk]);
      if (this.#inflated.length > longestHeaders) socket.destroy();
    });
    this.#inflate.on('error', () => socket.destroy());
    const reader = new SpdyReader({
      open: (id, block, fin) => {
        this.#early.set(id, []);
        // Blocks are one compressed stream: each is read after the one before.
        this.#reading = this.#reading.then(() => this.#open(id, block, fin));
      },
      reply: () => undefined,
      data: (id, chunk) => {
        const kept = Buffer.from(chunk);
        this.#deliver(id, (sink) => sink.data(kept));
      },
      end: (id) => this.#deliver(id, (sink) => sink.end()),
      reset: (id) => {
        this.#deliver(id, (sink) => sink.end());
        this.#sinks.delete(id);
      },
      // The peer's pings have odd numbers, and are sent back.
      ping: (id) => {
        if (id % 2 === 1) this.#write(pingFrame(id));
      },
    });
    if (head.length > 0) reader.push(head);
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => socket.destroy());
    socket.once('end', () => socket.end());
    socket.once('close', () => {
      this.#inflate.destroy();
      for (const sink of this.#sinks.values()) sink.end();
      this.#sinks.clear();
    });
  }

  /** Closes the connection once what was written is out. */
  close(): void {
    this.#socket.end(() => this.#socket.destroy());
  }

  async #open(id: number, block: Buffer, fin: boolean): Promise<void> {
    if (this.#socket.destroyed) return;
    this.#inflated = Buffer.alloc(0);
    await new Promise<void>((resolve) => {
      this.#inflate.write(block, () => resolve());
      this.#socket.once('close', () => resolve());
    });
    if (this.#socket.destroyed) return;
    this.#write(synReplyFrame(id, this.#blocks.block({})));
    const sink = this.#onStream({ headers: headersOf(this.#inflated), stream: this.#stream(id) });
    this.#sinks.set(id, sink);
    for (const deliver of this.#early.get(id) ?? []) deliver(sink);
    this.#early.delete(id);
    if (fin) sink.end();
  }

  #deliver(id: number, deliver: (sink: SpdyStreamSink) => void): void {
    const early = this.#early.get(id);
    const sink = this.#sinks.get(id);
    if (early !== undefined) early.push(deliver);
    else if (sink !== undefined) deliver(sink);
  }

  #stream(id: number): SpdyStream {
    let ended = false;
    return {
      write: (chunk) => ended || chunk.length === 0 || this.#write(dataFrame(id, chunk)),
      end: () => {
        if (ended) return;
        ended = true;
        this.#write(dataFrame(id, Buffer.alloc(0), true));
      },
    };
  }

  #write(frame: Buffer): boolean {
    return !this.#socket.writable || this.#socket.write(frame);
  }
}

/** Names and values, each behind its length; what is cut off is left out. */
function headersOf(block: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const text = (): string | undefined => {
    if (at + 4 > block.length) return undefined;
    const length = block.readUInt32BE(at);
    const found = block.toString('utf8', at + 4, at + 4 + length);
    at += 4 + length;
    return found;
  };
  for (let name = text(); name !== undefined; name = text()) headers.set(name.toLowerCase(), text() ?? '');
  return headers;
}
