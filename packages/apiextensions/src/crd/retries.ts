/** Upstream's rate limiter of controllers: 5 ms, doubled with each failure, at most 1000 s. */
const firstDelayMs = 5;
const longestDelayMs = 1_000_000;

/** Work that failed, tried again later: one timer for each key. */
export class Retries {
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Calls `work` once the key's delay is over, unless something for the key is waiting already. */
  later(key: string, work: () => void): void {
    if (this.#timers.has(key)) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const timer = setTimeout(
      () => {
        this.#timers.delete(key);
        work();
      },
      Math.min(firstDelayMs * 2 ** failures, longestDelayMs),
    );
    timer.unref();
    this.#timers.set(key, timer);
  }

  /** The key's work succeeded or is no longer needed: the next failure is a first one. */
  forget(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#failures.delete(key);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
