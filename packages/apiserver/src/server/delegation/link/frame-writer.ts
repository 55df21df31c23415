import type { Writable } from 'node:stream';
import { FrameType, frameHeadBytes } from './frames.ts';

/** Payloads below this are copied beside their heads: a further piece of a gathered write costs more. */
const copyBelowBytes = 4 * 1024;
const slabBytes = 64 * 1024;

/** A stream as the writer knows it: where its last frame of this turn is, so that a shared one does not overtake it. */
export interface SendingStream {
  readonly id: number;
  /** The turn and the place in it of the stream's last frame. */
  lastTurn: number;
  lastPlace: number;
}

/** Bytes for the bodies of one or more streams. */
interface BodyFrame {
  readonly kind: 'body';
  readonly place: number;
  readonly payload: Uint8Array;
  readonly ids: number[];
  sent: (() => void) | undefined;
}

type Entry = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | BodyFrame;

/**
 * Writes frames to a connection: all of one turn of the event loop in one gathered write. The same bytes for several
 * streams (an event that many watch) go once, with the streams' numbers.
 */
export class FrameWriter {
  readonly #socket: Writable;
  #entries: Entry[] = [];
  #bodies = new Map<Uint8Array, BodyFrame>();
  #slab = Buffer.allocUnsafeSlow(slabBytes);
  /** Where the slab is free, and where its part that is not among the entries begins. */
  #free = 0;
  #open = 0;
  #turn = 1;
  #scheduled = false;
  /** Bytes of bodies among the entries. */
  #bodyBytes = 0;
  readonly #flush = (): void => {
    this.flush();
  };

  constructor(socket: Writable) {
    this.#socket = socket;
  }

  /** What is not on its way yet, in bytes: of this turn, and what the connection has not taken. */
  get unsentBytes(): number {
    return this.#bodyBytes + this.#socket.writableLength;
  }

  /** A frame whose payload is short, or none. */
  frame(type: FrameType, { flags = 0, id, payload }: { flags?: number; id: number; payload?: Uint8Array }): void {
    const length = payload?.length ?? 0;
    const at = this.#reserve(frameHeadBytes + length);
    writeHead(this.#slab, at, { type, flags, id, length });
    if (payload !== undefined) this.#slab.set(payload, at + frameHeadBytes);
    this.#schedule();
  }

  /** A frame with one number in it. */
  number(type: FrameType, id: number, value: number): void {
    const at = this.#reserve(frameHeadBytes + 4);
    writeHead(this.#slab, at, { type, flags: 0, id, length: 4 });
    this.#slab.writeUInt32BE(value, at + frameHeadBytes);
    this.#schedule();
  }

  /** A frame of Latin-1 text, after a number where `number` is given. */
  text(
    type: FrameType,
    { flags = 0, id, number, text }: { flags?: number; id: number; number?: number; text: string },
  ): void {
    const before = number === undefined ? 0 : 4;
    const length = before + text.length;
    const at = this.#reserve(frameHeadBytes + length);
    writeHead(this.#slab, at, { type, flags, id, length });
    const from = at + frameHeadBytes + before;
    if (number !== undefined) this.#slab.writeUInt32BE(number, at + frameHeadBytes);
    this.#slab.write(text, from, text.length, 'latin1');
    this.#schedule();
  }

  /** Marks the stream's place, for frames that are not of its body: a shared one must not overtake them. */
  ordered(stream: SendingStream): void {
    this.#mark(stream, this.#entries.length);
  }

  /**
   * Bytes of a stream's body, to be left alone until `sent` is called. The same bytes may become one frame for several
   * streams.
   */
  body(stream: SendingStream, payload: Uint8Array, sent?: () => void): void {
    const last = stream.lastTurn === this.#turn ? stream.lastPlace : -1;
    const same = this.#bodies.get(payload);
    if (same !== undefined && same.place > last) {
      same.ids.push(stream.id);
      this.#mark(stream, same.place);
      if (sent !== undefined) same.sent = both(same.sent, sent);
      return;
    }
    this.#close();
    const entry: BodyFrame = { kind: 'body', place: this.#entries.length, payload, ids: [stream.id], sent };
    this.#entries.push(entry);
    this.#bodyBytes += payload.length;
    this.#bodies.set(payload, entry);
    this.#mark(stream, entry.place);
    this.#schedule();
  }

  /** Everything that waits goes out now; done by itself at the end of a turn. */
  flush(): void {
    this.#scheduled = false;
    this.#close();
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    this.#bodyBytes = 0;
    if (this.#bodies.size > 0) this.#bodies = new Map();
    this.#turn++;
    if (this.#socket.destroyed) {
      for (const entry of entries) if (entry.kind === 'body') entry.sent?.();
      return;
    }
    if (entries.length === 1 && entries[0]?.kind === 'bytes') {
      this.#socket.write(entries[0].bytes);
      return;
    }
    this.#socket.cork();
    for (const entry of entries) {
      if (entry.kind === 'body') {
        this.#writeBody(entry);
        continue;
      }
      this.#writeOpen();
      this.#socket.write(entry.bytes);
    }
    this.#writeOpen();
    this.#socket.uncork();
  }

  #writeBody({ ids, payload, sent }: BodyFrame): void {
    const copied = payload.length < copyBelowBytes;
    const shared = ids.length > 1;
    const extra = shared ? 4 + 4 * ids.length : 0;
    const at = this.#reserve(frameHeadBytes + extra + (copied ? payload.length : 0), true);
    const slab = this.#slab;
    writeHead(slab, at, {
      type: shared ? FrameType.shared : FrameType.data,
      flags: 0,
      id: shared ? 0 : (ids[0] as number),
      length: extra + payload.length,
    });
    let end = at + frameHeadBytes;
    if (shared) {
      end = slab.writeUInt32BE(ids.length, end);
      for (const id of ids) end = slab.writeUInt32BE(id, end);
    }
    if (copied) {
      slab.set(payload, end);
      // Not before this turn's frames are all written: it may bring more of them.
      if (sent !== undefined) process.nextTick(sent);
      return;
    }
    this.#writeOpen();
    this.#socket.write(payload, sent);
  }

  /** Room in the slab; a new one is begun when it is full. Slabs are not used again: who reads them may be slow. */
  #reserve(bytes: number, flushing = false): number {
    if (this.#free + bytes > this.#slab.length) {
      if (flushing) this.#writeOpen();
      else this.#close();
      this.#slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, bytes));
      this.#free = 0;
      this.#open = 0;
    }
    const at = this.#free;
    this.#free += bytes;
    return at;
  }

  /** What is in the slab becomes an entry. */
  #close(): void {
    if (this.#free === this.#open) return;
    this.#entries.push({ kind: 'bytes', bytes: this.#slab.subarray(this.#open, this.#free) });
    this.#open = this.#free;
  }

  #writeOpen(): void {
    if (this.#free === this.#open) return;
    this.#socket.write(this.#slab.subarray(this.#open, this.#free));
    this.#open = this.#free;
  }

  #mark(stream: SendingStream, place: number): void {
    stream.lastTurn = this.#turn;
    stream.lastPlace = place;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }
}

function writeHead(
  slab: Buffer,
  at: number,
  { flags, id, length, type }: { type: number; flags: number; id: number; length: number },
): void {
  slab[at] = type;
  slab[at + 1] = flags;
  slab[at + 2] = 0;
  slab[at + 3] = 0;
  slab.writeUInt32BE(id, at + 4);
  slab.writeUInt32BE(length, at + 8);
}

function both(first: (() => void) | undefined, second: () => void): () => void {
  if (first === undefined) return second;
  return () => {
    first();
    second();
  };
}
