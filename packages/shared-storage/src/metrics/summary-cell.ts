/** How far a quantile may be from the true one, as a ratio of neighbouring buckets. */
const growth = 1.02;
const logGrowth = Math.log(growth);
/** Observations are forgotten in so many steps, each a fifth of the age that they may reach. */
const steps = 5;

/**
 * Counts of one summary under one set of labels: sum and number of all observations, and quantiles of those that are
 * not too old, to 1 % of their value. Observations go into buckets that grow by 2 %, kept apart by age.
 *
 *     ring:  [ now | 1 h ago | 2 h ago | 3 h ago | 4 h ago ]      with a maximal age of 5 h
 *              ↑ observe()                         ↑ next to be emptied
 */
export class SummaryCell {
  readonly #stepMs: number;
  readonly #ring: Map<number, number>[] = Array.from({ length: steps }, () => new Map());
  #step = 0;
  sum = 0;
  count = 0;

  constructor(maxAgeMs: number) {
    this.#stepMs = maxAgeMs / steps;
  }

  /** @param nowMs of a clock that never goes back */
  observe(value: number, nowMs: number): void {
    const counts = this.#now(nowMs);
    const bucket = value > 0 ? Math.ceil(Math.log(value) / logGrowth) : Number.NEGATIVE_INFINITY;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    this.sum += value;
    this.count++;
  }

  /** Each quantile of what was observed lately, in the order of `wanted`, which ascends; NaN where nothing was. */
  quantiles(wanted: readonly number[], nowMs: number): readonly number[] {
    this.#now(nowMs);
    const merged = new Map<number, number>();
    let total = 0;
    for (const counts of this.#ring)
      for (const [bucket, count] of counts) {
        merged.set(bucket, (merged.get(bucket) ?? 0) + count);
        total += count;
      }
    if (total === 0) return wanted.map(() => Number.NaN);
    const sorted = [...merged].sort(([a], [b]) => a - b);
    let passed = 0;
    let at = -1;
    return wanted.map((quantile) => {
      const rank = Math.max(1, Math.ceil(quantile * total));
      while (passed < rank) passed += (sorted[++at] as [number, number])[1];
      return middleOf((sorted[at] as [number, number])[0]);
    });
  }

  /** The counts of the step that `nowMs` is in; empties those of steps that are over. */
  #now(nowMs: number): Map<number, number> {
    const step = Math.floor(nowMs / this.#stepMs);
    for (let over = Math.max(this.#step + 1, step - steps + 1); over <= step; over++) this.#ring[over % steps]?.clear();
    this.#step = Math.max(this.#step, step);
    return this.#ring[this.#step % steps] as Map<number, number>;
  }
}

function middleOf(bucket: number): number {
  return bucket === Number.NEGATIVE_INFINITY ? 0 : (growth ** bucket + growth ** (bucket - 1)) / 2;
}
