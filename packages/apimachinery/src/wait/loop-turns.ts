/** What is done in one turn of the event loop, in ms. */
const LONG_MS = 10;

/** What tells the time, and when the loop has been around. */
export interface LoopTurnsOptions {
  /** Milliseconds of a clock that does not go back. Default: the machine's. */
  readonly now?: () => number;
  /** Calls once the loop has been around. Default: setImmediate. */
  readonly soon?: (action: () => void) => void;
}

/**
 * Shares the thread between those who have much to do in short steps: all of them together do so for ten milliseconds
 * at a time, then sockets and timers are looked at, then the next one goes on who waits. Who waits is at most everybody
 * who is at work.
 */
export class LoopTurns {
  readonly #now: () => number;
  readonly #soon: (action: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  /** When the steps of this turn began; undefined: there were none. */
  #beganMs: number | undefined;

  constructor({ now = () => performance.now(), soon = (action) => setImmediate(action) }: LoopTurnsOptions = {}) {
    this.#now = now;
    this.#soon = soon;
  }

  /** To be awaited between two steps; undefined, which need not be, while those of this turn were short. */
  next(): Promise<void> | undefined {
    const nowMs = this.#now();
    if (this.#beganMs === undefined) {
      this.#beganMs = nowMs;
      this.#soon(this.#turn);
      return undefined;
    }
    if (nowMs - this.#beganMs < LONG_MS) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly #turn = (): void => {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#beganMs = undefined;
      return;
    }
    this.#beganMs = this.#now();
    this.#soon(this.#turn);
    next();
  };
}

/** Of the process, which has one event loop. */
export const loopTurns = new LoopTurns();
