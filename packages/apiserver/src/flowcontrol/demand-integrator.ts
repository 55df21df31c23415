/** What a number was like over some time. */
export interface IntegratorResults {
  readonly durationMs: number;
  /** Weighted by time; NaN when no time has passed. */
  readonly average: number;
  readonly deviation: number;
  readonly max: number;
}

/**
 * Average, standard deviation and maximum over time of a number that is set now and then (fairqueuing/integrator.go,
 * 1.36).
 */
export class DemandIntegrator {
  #lastMs: number;
  #value = 0;
  #durationMs = 0;
  #integral = 0;
  #integralOfSquare = 0;
  #max = 0;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  set(value: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** The results since the last call, or since the beginning. */
  reset(nowMs: number): IntegratorResults {
    this.#advance(nowMs);
    const durationMs = this.#durationMs;
    const average = durationMs > 0 ? this.#integral / durationMs : Number.NaN;
    // Rounding may leave less than nothing of the variance of a number that never changed.
    const deviation =
      durationMs > 0 ? Math.sqrt(Math.max(0, this.#integralOfSquare / durationMs - average * average)) : Number.NaN;
    const results = { durationMs, average, deviation, max: this.#max };
    this.#durationMs = 0;
    this.#integral = 0;
    this.#integralOfSquare = 0;
    this.#max = this.#value;
    return results;
  }

  #advance(nowMs: number): void {
    const elapsed = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    this.#durationMs += elapsed;
    this.#integral += this.#value * elapsed;
    this.#integralOfSquare += this.#value * this.#value * elapsed;
  }
}
