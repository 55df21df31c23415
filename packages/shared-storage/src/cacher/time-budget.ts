import type { Clock } from '@kubechain/apimachinery';

/**
 * Milliseconds of waiting for slow watchers that come in per second, and the most that is saved up (time_budget.go,
 * 1.36).
 */
const REFRESH_MS_PER_SECOND = 50;
const MAX_BUDGET_MS = 100;

/** Time that all watchers of a cache together may keep the others waiting; comes back as time passes. */
export class TimeBudget {
  readonly #clock: Clock;
  #budgetMs = 0;
  #lastMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastMs = clock.now();
  }

  /** Takes all that there is; give back what was not needed. */
  takeAvailable(): number {
    const now = this.#clock.now();
    const earned = Math.max(0, (now - this.#lastMs) / 1000) * REFRESH_MS_PER_SECOND;
    this.#lastMs = now;
    const available = Math.min(MAX_BUDGET_MS, this.#budgetMs + earned);
    this.#budgetMs = 0;
    return available;
  }

  returnUnused(unusedMs: number): void {
    if (unusedMs > 0) this.#budgetMs = Math.min(MAX_BUDGET_MS, this.#budgetMs + unusedMs);
  }
}
