/*
 * Frames of SPDY/3.1 (the draft of 2013), as far as clients of kubelets need them, and kubelets:
 *
 *     control: 1 | version 15 | type 16 | flags 8 | length 24 | data
 *     data:    0 | stream 31            | flags 8 | length 24 | data
 *
 * Streams have no flow control here: the servers that Kubernetes has do not look at windows.
 */

const version = 3;
const controlBit = 0x8000_0000;
const headLength = 8;
const types = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const flagFin = 1;
/** Of a control frame that is read; those of Kubernetes have some hundred. */
const mostControlBytes = 64 * 1024;
/** Bytes of SYN_STREAM before its headers. */
const synStreamHead = 10;
/** Of a reset stream: nobody wants it any more. */
const statusCancel = 5;

/** What a peer's frame means. Others mean nothing. */
export interface SpdyEvents {
  /** The peer opens a stream, with a compressed header block; `fin`: it sends nothing on it. Default: it is ignored. */
  open?(stream: number, headers: Buffer, fin: boolean): void;
  /** The peer takes the stream. */
  reply(stream: number): void;
  /** Bytes of a stream; the buffer is the caller's until the next frame. */
  data(stream: number, chunk: Buffer): void;
  /** The peer sends no more on the stream. */
  end(stream: number): void;
  /** The peer gives the stream up. */
  reset(stream: number): void;
  ping(id: number): void;
}

/**
 * Reads a peer's frames however they are cut; holds the control frame that is being read, and no data. What is longer
 * than control frames are is passed over.
 */
export class SpdyReader {
  readonly #events: SpdyEvents;
  /** Head, and the data of a control frame. */
  #pending = Buffer.alloc(0);
  /** Of a data frame that is being read. */
  #stream = 0;
  #left = 0;
  #fin = false;
  /** What is left is of a control frame that is too long. */
  #skipping = false;

  constructor(events: SpdyEvents) {
    this.#events = events;
  }

  /** Takes bytes in order; may call back for several frames. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#left > 0 ? this.#data(rest) : this.#control(rest);
  }

  #data(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#left);
    this.#left -= part.length;
    if (this.#skipping) {
      this.#skipping = this.#left > 0;
      return chunk.subarray(part.length);
    }
    this.#events.data(this.#stream, part);
    if (this.#left === 0 && this.#fin) this.#events.end(this.#stream);
    return chunk.subarray(part.length);
  }

  #control(chunk: Buffer): Buffer {
    if (this.#pending.length === 0 && chunk.length >= headLength) {
      // Whole in what came, as most are: a read may have thousands.
      const length = isData(chunk) ? headLength : headLength + dataLength(chunk);
      if (chunk.length >= length && length <= mostControlBytes) {
        this.#complete(chunk.subarray(0, length));
        return chunk.subarray(length);
      }
    }
    if (this.#pending.length >= headLength && dataLength(this.#pending) > mostControlBytes) {
      this.#left = dataLength(this.#pending);
      this.#pending = Buffer.alloc(0);
      this.#skipping = true;
      return chunk;
    }
    const wanted = this.#pending.length < headLength ? headLength : headLength + dataLength(this.#pending);
    const taken = chunk.subarray(0, wanted - this.#pending.length);
    this.#pending = Buffer.concat([this.#pending, taken]);
    if (
      this.#pending.length >= headLength &&
      (isData(this.#pending) || this.#pending.length === headLength + dataLength(this.#pending))
    ) {
      const frame = this.#pending;
      this.#pending = Buffer.alloc(0);
      this.#complete(frame);
    }
    return chunk.subarray(taken.length);
  }

  #complete(frame: Buffer): void {
    const first = frame.readUInt32BE(0);
    const fin = ((frame[4] as number) & flagFin) !== 0;
    if (isData(frame)) {
      this.#stream = first;
      this.#left = dataLength(frame);
      this.#fin = fin;
      if (this.#left === 0 && fin) this.#events.end(first);
      return;
    }
    if (frame.length < headLength + 4) return;
    const subject = frame.readUInt32BE(headLength) & 0x7fff_ffff;
    switch (first & 0xffff) {
      case types.synStream:
        // Behind the stream's number: the one that it belongs to, a priority, and a slot.
        this.#events.open?.(subject, Buffer.from(frame.subarray(headLength + synStreamHead)), fin);
        break;
      case types.synReply:
        this.#events.reply(subject);
        if (fin) this.#events.end(subject);
        break;
      case types.rstStream:
        this.#events.reset(subject);
        break;
      case types.ping:
        this.#events.ping(frame.readUInt32BE(headLength));
        break;
      default:
    }
  }
}

function isData(head: Buffer): boolean {
  return ((head[0] as number) & 0x80) === 0;
}
function dataLength(head: Buffer): number {
  return head.readUIntBE(5, 3);
}

/** Bytes of a stream; `fin` says that no more follow. */
export function dataFrame(stream: number, data: Uint8Array, fin = false): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt32BE(stream, 0);
  head.writeUInt32BE((fin ? flagFin << 24 : 0) | data.length, 4);
  return Buffer.concat([head, data]);
}

/** RST_STREAM with CANCEL: nothing of the stream is wanted any more. */
export function resetFrame(stream: number): Buffer {
  return controlFrame(types.rstStream, words(stream, statusCancel));
}
/** PING, to be answered with the same number. */
export function pingFrame(id: number): Buffer {
  return controlFrame(types.ping, words(id));
}

/** Opens a stream; `headers` is a header block of {@link HeaderBlocks}. */
export function synStreamFrame(stream: number, headers: Buffer): Buffer {
  return controlFrame(types.synStream, Buffer.concat([words(stream, 0), Buffer.alloc(2), headers]));
}

/** Takes a stream; `headers` is a header block of {@link HeaderBlocks}. */
export function synReplyFrame(stream: number, headers: Buffer): Buffer {
  return controlFrame(types.synReply, Buffer.concat([words(stream), headers]));
}

function controlFrame(type: number, data: Buffer): Buffer {
  return Buffer.concat([words((controlBit | (version << 16) | type) >>> 0, data.length), data]);
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    buffer.writeUInt32BE(value, i * 4);
  });
  return buffer;
}

/** A stored block's own head: not the last one, its length, and the same inverted. */
const storedHeadLength = 5;
/** An empty stored block ends what is sent at once (Z_SYNC_FLUSH): Go's reader holds back what comes before it. */
const flush = Buffer.of(0, 0, 0, 0xff, 0xff);

/**
 * The header blocks of one connection. All of them are one zlib stream; this one is written in stored blocks, which
 * needs neither a compressor nor SPDY's dictionary, for a handful of short blocks a connection.
 */
export class HeaderBlocks {
  #begun = false;

  /** Names are sent in lower case. The block is at most 64 KiB. */
  block(headers: Readonly<Record<string, string>>): Buffer {
    const pairs = Object.entries(headers).flatMap(([name, value]) => [text(name.toLowerCase()), text(value)]);
    const content = Buffer.concat([words(pairs.length / 2), ...pairs]);
    const head = Buffer.alloc(storedHeadLength);
    head.writeUInt16LE(content.length, 1);
    head.writeUInt16LE(~content.length & 0xffff, 3);
    const opening = this.#begun ? Buffer.alloc(0) : Buffer.of(0x78, 0x01);
    this.#begun = true;
    return Buffer.concat([opening, head, content, flush]);
  }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([words(bytes.length), bytes]);
}
