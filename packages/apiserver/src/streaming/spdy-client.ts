import type { Duplex } from 'node:stream';
import {
  HeaderBlocks,
  SpdyReader,
  dataFrame,
  pingFrame,
  resetFrame,
  synStreamFrame,
  type SpdyEvents,
} from './spdy-frames.ts';

/** How long a peer may take to accept a stream, in milliseconds. */
const replyTimeoutMs = 30_000;
/** How often the peer is asked whether it is there, in milliseconds. */
const pingIntervalMs = 5_000;

/** A SPDY connection or stream failed; the message is in the words of moby/spdystream. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}

/** What comes on a stream. */
export interface SpdyStreamSink {
  data(chunk: Buffer): void;
  /** No more comes: the peer has ended or given up the stream, or the connection is gone. Called once. */
  end(): void;
}

/** One stream of a connection, as who opened it sees it. */
export interface SpdyStream {
  /** False when the connection's buffer is full; the socket's `drain` follows. */
  write(chunk: Uint8Array): boolean;
  /** No more is written. Idempotent. */
  end(): void;
}

/** A stream whose answers nobody is interested in. */
export const ignoredSink: SpdyStreamSink = { data: () => undefined, end: () => undefined };

interface OpenStream {
  readonly sink: SpdyStreamSink;
  replied: (() => void) | undefined;
  failed: (error: Error) => void;
  ended: boolean;
}

/**
 * The client's end of a SPDY/3.1 connection: opens streams, and hands what comes on them to their sinks. Pause and
 * resume the socket for back-pressure: it stops all streams. The socket is this object's; it ends with the connection.
 */
export class SpdyClient {
  readonly #socket: Duplex;
  readonly #headers = new HeaderBlocks();
  readonly #streams = new Map<number, OpenStream>();
  readonly #pings: NodeJS.Timeout;
  #nextStream = 1;
  #nextPing = 1;
  #closed = false;

  /** Takes a socket whose upgrade is done, and what came after it. */
  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    const events: SpdyEvents = {
      reply: (id) => {
        this.#streams.get(id)?.replied?.();
      },
      data: (id, chunk) => {
        this.#streams.get(id)?.sink.data(chunk);
      },
      end: (id) => {
        this.#end(id);
      },
      reset: (id) => {
        this.#streams.get(id)?.failed(new SpdyError('Stream reset'));
        this.#end(id);
      },
      // The peer's own pings have even numbers, and are sent back.
      ping: (id) => {
        if (id % 2 === 0) this.#write(pingFrame(id));
      },
    };
    const reader = new SpdyReader(events);
    if (head.length > 0) reader.push(head);
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk);
    });
    socket.on('error', () => {
      socket.destroy();
    });
    socket.once('end', () => {
      this.#over();
    });
    socket.once('close', () => {
      this.#over();
    });
    this.#pings = setInterval(() => {
      this.#write(pingFrame(this.#nextPing));
      this.#nextPing += 2;
    }, pingIntervalMs);
    this.#pings.unref();
  }

  /** Opens a stream; resolves when the peer has taken it. @throws SpdyError when it does not */
  createStream(headers: Readonly<Record<string, string>>, sink: SpdyStreamSink): Promise<SpdyStream> {
    const id = this.#nextStream;
    this.#nextStream += 2;
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new SpdyError('connection closed'));
        return;
      }
      const timer = setTimeout(() => {
        reject(new SpdyError('timed out waiting for stream to be accepted'));
      }, replyTimeoutMs);
      const stream: OpenStream = {
        sink,
        ended: false,
        replied: () => {
          clearTimeout(timer);
          stream.replied = undefined;
          resolve(this.#stream(id));
        },
        failed: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#streams.set(id, stream);
      this.#write(synStreamFrame(id, this.#headers.block(headers)));
    });
  }

  /** Gives up all streams and closes the connection once that is out. Idempotent. */
  close(): void {
    if (this.#closed) return;
    for (const [id, { ended }] of this.#streams) if (!ended) this.#write(resetFrame(id));
    this.#over();
    this.#socket.end(() => {
      this.#socket.destroy();
    });
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
    return this.#closed || !this.#socket.writable || this.#socket.write(frame);
  }

  #end(id: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined || stream.ended) return;
    stream.ended = true;
    stream.sink.end();
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#pings);
    for (const [id, stream] of this.#streams) {
      stream.failed(new SpdyError('connection closed'));
      this.#end(id);
    }
  }
}
