import type { Timer, TimerClock } from './timer-clock.ts';

/** How often progress is asked for while somebody waits (watch_progress.go, 1.36). */
const REQUEST_PERIOD_MS = 100;

/** Asks the store for progress notifications as long as a read waits for the cache to catch up, and never else. */
export class ConditionalProgressRequester {
  readonly #clock: TimerClock;
  readonly #request: () => Promise<void>;
  #waiting = 0;
  #timer: Timer | undefined;

  constructor(clock: TimerClock, request: () => Promise<void>) {
    this.#clock = clock;
    this.#request = request;
  }

  add(): void {
    this.#waiting++;
    if (this.#timer === undefined) this.#ask();
  }

  /** Asks once, unless that was done within the last period. */
  nudge(): void {
    this.add();
    this.remove();
  }

  /** Undoes one `add`. */
  remove(): void { this.#waiting--; }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#waiting = 0;
  }

  readonly #ask = (): void => {
    this.#timer = undefined;
    if (this.#waiting <= 0) return;
    this.#timer = this.#clock.setTimer(this.#ask, REQUEST_PERIOD_MS);
    // A lost request is made up for by the next one.
    this.#request().catch(() => undefined);
  };
}
