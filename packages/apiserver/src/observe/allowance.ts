/** So many in each span of time, and no more; what was not taken is gone. */
export class Allowance {
  readonly #most: number;
  readonly #spanMs: number;
  readonly #now: () => number;
  #span = -1;
  #taken = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(most: number, spanMs: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#spanMs = spanMs;
    this.#now = now;
  }

  /** Takes one; false when there is none left for now. */
  take(): boolean {
    const span = Math.floor(this.#now() / this.#spanMs);
    if (span !== this.#span) {
      this.#span = span;
      this.#taken = 0;
    }
    if (this.#taken >= this.#most) return false;
    this.#taken++;
    return true;
  }
}
