import type { Timer, TimerClock } from '../timer-clock.ts';

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is moved. */
export class FakeClock implements TimerClock {
  #nowMs: number;
  #pending: Pending[] = [];

  constructor(nowMs = 1_700_000_000_000) {
    this.#nowMs = nowMs;
  }

  get timers(): number {
    return this.#pending.length;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const pending: Pending = { dueMs: this.#nowMs + delayMs, callback };
    this.#pending.push(pending);
    return {
      cancel: () => {
        this.#pending = this.#pending.filter((other) => other !== pending);
      },
    };
  }

  /** Moves the clock, fires what is due in order, and lets everything that follows from each timer run. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#pending.filter((pending) => pending.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      this.#pending = this.#pending.filter((pending) => pending !== next);
      next.callback();
      await settle();
    }
    this.#nowMs = endMs;
    await settle();
  }
}

/** Lets promises and immediates run that are due without any time passing. */
export async function settle(turns = 6): Promise<void> {
  for (let i = 0; i < turns; i++)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
