import { systemClock, type TimerClock } from '@kubechain/apimachinery';
import { FairQueue } from './fair-queue.ts';

/** A step that took longer, in ms, is followed by a while without one. */
const LONG_MS = 20;
/** That while, in ms: what others ask for goes to the store and back in it. */
const REST_MS = 5;

/**
 * Whose turn of the event loop it is: however many requests have a long step to make, one of them is made between two
 * looks at what has come in, so that others wait for one step at most. Users take turns.
 */
export class TurnQueue {
  readonly #clock: TimerClock;
  readonly #waiting = new FairQueue<() => void>();
  #scheduled = false;
  /** When the last one was given its turn. */
  #gaveAt = 0;

  constructor(clock: TimerClock = systemClock) {
    this.#clock = clock;
  }

  /** Resolves when the loop has been around, and it is this user's turn. */
  take(user: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(user, resolve);
      if (this.#scheduled) return;
      this.#scheduled = true;
      this.#soon();
    });
  }

  /** What is set within one is run a turn later: sockets are read in between. */
  #soon(): void {
    setImmediate(() => {
      this.#give();
    });
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#scheduled = false;
      return;
    }
    this.#gaveAt = this.#clock.now();
    next();
    // The step is made before this runs.
    setImmediate(() => {
      if (this.#clock.now() - this.#gaveAt < LONG_MS) this.#give();
      else
        this.#clock.setTimer(() => {
          this.#soon();
        }, REST_MS);
    });
  }
}
