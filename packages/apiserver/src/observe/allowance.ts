/** What an allowance is made of. */
export interface AllowanceOptions {
  /** So many may be taken at once. */
  readonly burst: number;
  /** So many come back in a second. */
  readonly perSecond: number;
  /** Milliseconds of a clock that never goes back; default the process's. */
  readonly now?: () => number;
}

/** Few all at once, many one after the other: a bucket of tokens. */
export class Allowance {
  readonly #options: AllowanceOptions;
  readonly #now: () => number;
  #left: number;
  #filledAtMs: number;

  constructor(options: AllowanceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#left = options.burst;
    this.#filledAtMs = this.#now();
  }

  /** Takes one; false when there is none left for now. */
  take(): boolean {
    const nowMs = this.#now();
    const { burst, perSecond } = this.#options;
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#filledAtMs) * perSecond) / 1_000);
    this.#filledAtMs = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
