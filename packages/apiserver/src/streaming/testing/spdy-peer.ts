import type { Duplex } from 'node:stream';
import { constants, inflateSync } from 'node:zlib';

/** What a peer of specs sees of a stream. */
export interface PeerStream {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  data: Buffer;
  ended: boolean;
}

/** The server's end of a SPDY connection, written for specs alone: takes every stream, and says what it is told to. */
export class SpdyPeer {
  readonly streams: PeerStream[] = [];
  readonly resets: number[] = [];
  readonly pings: number[] = [];
  /** Called after each frame. */
  onFrame: () => void = () => undefined;
  readonly #socket: Duplex;
  #buffer = Buffer.alloc(0);
  #blocks = Buffer.alloc(0);
  #inflated = 0;

  constructor(socket: Duplex, head: Buffer = Buffer.alloc(0)) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#push(chunk);
    });
    socket.on('error', () => {
      socket.destroy();
    });
    socket.once('end', () => {
      socket.end();
    });
    if (head.length > 0) this.#push(head);
  }

  stream(type: string): PeerStream | undefined {
    return this.streams.find(({ headers }) => headers.get('streamtype') === type);
  }

  /** Sends bytes on a stream, cut into the given pieces, and ends it. */
  say(type: string, text: string, { end = true } = {}): void {
    const { id = 0 } = this.stream(type) ?? {};
    const data = Buffer.from(text);
    if (data.length > 0) this.#socket.write(Buffer.concat([words(id, data.length), data]));
    if (end) this.#socket.write(words(id, 0x0100_0000));
  }

  reset(type: string): void {
    this.#socket.write(words(0x8003_0003, 8, this.stream(type)?.id ?? 0, 1));
  }
  ping(id: number): void {
    this.#socket.write(words(0x8003_0006, 4, id));
  }
  end(): void {
    this.#socket.end();
  }

  #push(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 8 && this.#buffer.length >= 8 + this.#buffer.readUIntBE(5, 3)) {
      const length = 8 + this.#buffer.readUIntBE(5, 3);
      this.#frame(this.#buffer.subarray(0, length));
      this.#buffer = this.#buffer.subarray(length);
      this.onFrame();
    }
  }

  #frame(frame: Buffer): void {
    const first = frame.readUInt32BE(0);
    if (first < 0x8000_0000) {
      const stream = this.streams.find(({ id }) => id === first);
      if (stream === undefined) return;
      stream.data = Buffer.concat([stream.data, frame.subarray(8)]);
      stream.ended ||= frame[4] === 1;
      return;
    }
    const subject = frame.readUInt32BE(8);
    switch (first & 0xffff) {
      case 1:
        this.streams.push({
          id: subject,
          headers: this.#headers(frame.subarray(18)),
          data: Buffer.alloc(0),
          ended: false,
        });
        // A reply without headers, whose block is not looked into.
        this.#socket.write(Buffer.concat([words(0x8003_0002, 8, subject), Buffer.alloc(4)]));
        break;
      case 3:
        this.resets.push(subject);
        break;
      case 6:
        this.pings.push(subject);
        break;
      default:
    }
  }

  /** All blocks of a connection are one zlib stream. */
  #headers(block: Buffer): ReadonlyMap<string, string> {
    this.#blocks = Buffer.concat([this.#blocks, block]);
    const text = inflateSync(this.#blocks, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(this.#inflated);
    this.#inflated += text.length;
    let at = 4;
    const next = (): string => {
      const length = text.readUInt32BE(at);
      at += 4 + length;
      return text.toString('utf8', at - length, at);
    };
    return new Map(Array.from({ length: text.readUInt32BE(0) }, () => [next(), next()] as const));
  }
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    buffer.writeUInt32BE(value, i * 4);
  });
  return buffer;
}
