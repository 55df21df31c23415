import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Turns } from './turns.ts';

/** Chunks of at least this size are handed on as they are, unless smaller ones wait before them. */
const wholeBytes = 4 * 1024;
/** Chunks of one turn of the event loop after which the connection is not read until others had their turn. */
const mostPieces = 1_000;

/**
 * The body of an answer with small chunks joined: those that arrive in one turn of the event loop are handed on as one
 * at its end. Fails as the answer fails.
 *
 * A backend may send chunks of one byte. Each costs some microseconds here and as much wherever it is handed on, and
 * one read of a fast connection yields a hundred thousand: so bodies of many chunks take turns.
 */
export class GatheredBody extends Readable {
  readonly #answer: IncomingMessage;
  readonly #turns: Pick<Turns, 'take'>;
  #pieces: Buffer[] = [];
  /** Pieces of this turn of the loop. */
  #seen = 0;
  #scheduled = false;
  #resting = false;

  constructor(answer: IncomingMessage, turns: Pick<Turns, 'take'>) {
    super();
    this.#answer = answer;
    this.#turns = turns;
    // It flows when somebody reads from here.
    answer.pause();
    answer.on('data', (piece: Buffer) => {
      this.#take(piece);
    });
    answer.once('end', () => {
      this.#handOn();
      this.push(null);
    });
    answer.once('error', (error) => {
      this.destroy(error);
    });
  }

  override _read(): void {
    this.#answer.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Nobody reads what is left of it.
    if (!this.#answer.readableEnded) this.#answer.destroy();
    done(error);
  }

  #take(piece: Buffer): void {
    if (this.#pieces.length === 0 && piece.length >= wholeBytes) {
      this.#push(piece);
      return;
    }
    this.#pieces.push(piece);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#seen = 0;
        this.#handOn();
      });
    }
    if (++this.#seen >= mostPieces && !this.#resting) void this.#rest();
  }

  #handOn(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    this.#push(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
  }

  #push(bytes: Buffer): void {
    if (!this.push(bytes)) this.#answer.pause();
  }

  /** Has the connection stand still until it is this body's turn. */
  async #rest(): Promise<void> {
    this.#resting = true;
    const answer = this.#answer;
    const { socket } = answer;
    // Whoever reads a body has Node read its connection on, whatever has paused that.
    answer._read = () => undefined;
    socket.pause();
    try {
      await this.#turns.take();
    } catch {
      // The request is over: nothing more is handed on, and its connection is closed.
    }
    this.#resting = false;
    Reflect.deleteProperty(answer, '_read');
    // Also where the answer has ended: the connection is kept, and may be another's by now.
    socket.resume();
  }
}

/** All of a body, which is read no further than `maxBytes`. @throws what `tooLarge` makes, and as the answer fails */
export async function readAtMost(body: GatheredBody, maxBytes: number, tooLarge: () => Error): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
