import { systemClock, type Timer, type TimerClock } from '@kubechain/apimachinery';
import { Duplex } from 'node:stream';

/** Pieces in a second: so small that nothing stands still for long. */
const piecesPerSecond = 20;

/**
 * A connection whose bytes go no faster than a rate, in each direction for itself (flowrate.NewReader and NewWriter of
 * the reference's proxies). It owns the connection: the end of one is the end of the other.
 */
export class PacedStream extends Duplex {
  readonly #connection: Duplex;
  readonly #bytesPerSecond: number;
  readonly #clock: TimerClock;
  readonly #timers = new Set<Timer>();
  /** What was read is still being handed over. */
  #handingOver = false;
  #wanted = false;
  /** How the connection ended meanwhile. */
  #over: 'ended' | 'closed' | undefined;

  constructor(connection: Duplex, bytesPerSecond: number, clock: TimerClock = systemClock) {
    super();
    this.#connection = connection;
    this.#bytesPerSecond = bytesPerSecond;
    this.#clock = clock;
    connection.on('data', (chunk: Buffer) => {
      connection.pause();
      this.#handingOver = true;
      this.#inPieces(chunk, {
        take: (piece, taken) => {
          this.#wanted = this.push(piece);
          taken();
        },
        done: () => {
          this.#handingOver = false;
          if (this.#over !== undefined) this.#finish(this.#over);
          else if (this.#wanted) connection.resume();
        },
      });
    });
    connection.pause();
    connection.once('end', () => {
      this.#finish('ended');
    });
    connection.once('error', (error) => {
      this.destroy(error);
    });
    connection.once('close', () => {
      this.#finish('closed');
    });
  }

  override _read(): void {
    this.#wanted = true;
    if (!this.#handingOver) this.#connection.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#inPieces(chunk, {
      take: (piece, taken) => {
        this.#connection.write(piece, (error) => {
          if (error === undefined || error === null) taken();
          else done(error);
        });
      },
      done,
    });
  }

  override _final(done: () => void): void {
    if (this.#connection.destroyed) done();
    else this.#connection.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#connection.destroy();
    done(error);
  }

  /** What has come before is handed over first. */
  #finish(how: 'ended' | 'closed'): void {
    this.#over = how;
    if (this.#handingOver) return;
    this.push(null);
    if (how === 'closed' && !this.writableEnded) this.end();
  }

  /** One piece after the other, each followed by the time that it may take. */
  #inPieces(
    chunk: Buffer,
    { done, take }: { readonly take: (piece: Buffer, taken: () => void) => void; readonly done: () => void },
  ): void {
    const piece = chunk.subarray(0, Math.max(1, Math.ceil(this.#bytesPerSecond / piecesPerSecond)));
    take(piece, () => {
      this.#after((piece.length / this.#bytesPerSecond) * 1000, () => {
        if (piece.length === chunk.length) done();
        else this.#inPieces(chunk.subarray(piece.length), { take, done });
      });
    });
  }

  #after(delayMs: number, go: () => void): void {
    if (this.destroyed) return;
    const timer = this.#clock.setTimer(() => {
      this.#timers.delete(timer);
      go();
    }, delayMs);
    this.#timers.add(timer);
  }
}
