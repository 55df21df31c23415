/** Counts of one histogram under one set of labels; observing is a short scan over the bounds and three additions. */
export class HistogramCell {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  sum = 0;
  count = 0;

  /** `bounds` ascending; the bucket above the last one is implied. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let i = 0;
    while (i < bounds.length && value > (bounds[i] as number)) i++;
    this.#counts[i] = (this.#counts[i] as number) + 1;
    this.sum += value;
    this.count++;
  }

  /** Prometheus' cumulative form, `+Inf` last. */
  *cumulative(): Generator<{ readonly le: number | '+Inf'; readonly value: number }> {
    let total = 0;
    for (const [i, bound] of this.#bounds.entries()) {
      total += this.#counts[i] as number;
      yield { le: bound, value: total };
    }
    yield { le: '+Inf', value: this.count };
  }
}
