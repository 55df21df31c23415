import { Backoff, type Timer, type TimerClock } from '@kubechain/apimachinery';

/** Upstream's rate limiter of controllers. */
const pauses = { firstMs: 5, longestMs: 1_000_000 };

/** Work that failed, tried again later: one timer for each key. */
export class Retries {
  readonly #backoffs = new Map<string, Backoff>();
  readonly #timers = new Map<string, Timer>();
  readonly #clock: TimerClock;

  constructor(clock: TimerClock) {
    this.#clock = clock;
  }

  /** Calls `work` once the key's delay is over, unless something for the key is waiting already. */
  later(key: string, work: () => void): void {
    if (this.#timers.has(key)) return;
    let backoff = this.#backoffs.get(key);
    if (backoff === undefined) this.#backoffs.set(key, (backoff = new Backoff(pauses)));
    const timer = this.#clock.setTimer(() => {
      this.#timers.delete(key);
      work();
    }, backoff.next());
    this.#timers.set(key, timer);
  }

  /** The key's work succeeded or is no longer needed: the next failure is a first one. */
  forget(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
    this.#backoffs.delete(key);
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
