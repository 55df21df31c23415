import type { Labels } from '../metrics/labels.ts';
import type { MetricSample } from '@kubechain/shared-storage/metrics';

const nanosecondsPerMs = 1e6;

/**
 * A ratio of two numbers as a histogram of observations that are made at the end of every nanosecond
 * (metrics/timing_ratio_histogram.go, 1.36): each bucket counts the time that the ratio has been in it.
 */
export class TimingRatioHistogram {
  readonly #bounds: readonly number[];
  readonly #nanoseconds: Float64Array;
  #sum = 0;
  #numerator = 0;
  #denominator: number;
  #ratio = 0;
  #bucket = 0;
  #lastMs: number;

  /** @param bounds ascending; the bucket above the last one is implied */
  constructor(bounds: readonly number[], options: { readonly nowMs: number; readonly denominator?: number }) {
    this.#bounds = bounds;
    this.#nanoseconds = new Float64Array(bounds.length + 1);
    this.#denominator = options.denominator ?? 1;
    this.#lastMs = options.nowMs;
  }

  set(numerator: number, nowMs: number): void {
    this.#numerator = numerator;
    this.#change(nowMs);
  }

  add(delta: number, nowMs: number): void {
    this.#numerator += delta;
    this.#change(nowMs);
  }

  setDenominator(denominator: number, nowMs: number): void {
    this.#denominator = denominator;
    this.#change(nowMs);
  }

  /** The lines of the histogram up to now. */
  *samples(name: string, labels: Labels, nowMs: number): Generator<MetricSample> {
    this.#advance(nowMs);
    let count = 0;
    for (const [i, bound] of this.#bounds.entries()) {
      count += this.#nanoseconds[i] as number;
      yield { name: `${name}_bucket`, value: count, labels: { ...labels, le: String(bound) } };
    }
    count += this.#nanoseconds[this.#bounds.length] as number;
    yield { name: `${name}_bucket`, value: count, labels: { ...labels, le: '+Inf' } };
    yield { name: `${name}_sum`, value: this.#sum, labels };
    yield { name: `${name}_count`, value: count, labels };
  }

  #change(nowMs: number): void {
    this.#advance(nowMs);
    const ratio = this.#numerator / this.#denominator;
    if (ratio === this.#ratio) return;
    this.#ratio = ratio;
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && ratio > (bounds[bucket] as number)) bucket++;
    this.#bucket = bucket;
  }

  #advance(nowMs: number): void {
    // Whole nanoseconds: the counts are.
    const elapsed = Math.round((nowMs - this.#lastMs) * nanosecondsPerMs);
    if (elapsed <= 0) return;
    this.#lastMs = nowMs;
    this.#nanoseconds[this.#bucket] = (this.#nanoseconds[this.#bucket] as number) + elapsed;
    this.#sum += elapsed * this.#ratio;
  }
}
