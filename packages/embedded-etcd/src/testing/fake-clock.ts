import type { Clock } from '../clock/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** A clock that moves only when told. */
export class FakeClock implements Clock {
  #nowMs = 1_700_000_000_000;
  readonly #timers = new Set<Timer>();

  wallMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer: Timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves on, firing what is due in order. */
  advance(ms: number): void {
    const end = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers]
        .filter((timer) => timer.atMs <= end)
        .sort((left, right) => left.atMs - right.atMs)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.callback();
    }
    this.#nowMs = end;
  }
}
