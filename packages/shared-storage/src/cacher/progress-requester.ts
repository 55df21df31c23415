import type { Timer, TimerClock } from '@kubechain/apimachinery';

/** How often progress is asked for again while somebody waits (watch_progress.go, 1.36). */
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

  /** Somebody begins to wait. Asks at once: an answer under way may be older than what they wait for. */
  add(): void {
    this.#waiting++;
    this.#ask();
  }

  /** Undoes one `add`. */
  remove(): void {
    this.#waiting--;
    if (this.#waiting > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Asks once for somebody who does not wait, unless that was done within the last period. */
  nudge(): void {
    if (this.#timer === undefined) this.#ask();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#waiting = 0;
  }

  #ask(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(this.#tick, REQUEST_PERIOD_MS);
    // A lost request is made up for by the next one.
    this.#request().catch(() => undefined);
  }

  readonly #tick = (): void => {
    this.#timer = undefined;
    if (this.#waiting > 0) this.#ask();
  };
}
