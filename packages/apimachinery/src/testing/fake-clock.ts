import type { Timer, TimerClock } from '../wait/timer-clock.ts';

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is moved. */
export class FakeClock implements TimerClock {
  #nowMs: number;
  readonly #pending = new Set<Pending>();

  constructor(nowMs = 1_700_000_000_000) {
    this.#nowMs = nowMs;
  }

  /** How many timers are pending. */
  get timers(): number {
    return this.#pending.size;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const pending: Pending = { dueMs: this.#nowMs + delayMs, callback };
    this.#pending.add(pending);
    return {
      cancel: () => {
        this.#pending.delete(pending);
      },
    };
  }

  /**
   * Moves the clock, fires what is due in order, each at its own time, and lets everything that follows from each timer
   * run.
   */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await settle();
    for (let next = this.#due(endMs); next !== undefined; next = this.#due(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      this.#pending.delete(next);
      next.callback();
      await settle();
    }
    this.#nowMs = endMs;
    await settle();
  }

  /** The first of those that are due; the older of two for the same time. */
  #due(endMs: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#pending)
      if (pending.dueMs <= endMs && (first === undefined || pending.dueMs < first.dueMs)) first = pending;
    return first;
  }
}

/** Lets promises and immediates run that are due without any time passing. */
export async function settle(turns = 6): Promise<void> {
  for (let i = 0; i < turns; i++)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
