const windowMs = 1_000;

/**
 * The largest number of the last whole second, as upstream's watermarks show it, without a timer: whoever asks or
 * counts turns the page.
 */
export class Watermark {
  #current = 0;
  #peak = 0;
  #shown = 0;
  #windowStartMs: number;

  constructor(nowMs: number) {
    this.#windowStartMs = nowMs;
  }

  set(value: number, nowMs: number): void {
    if (nowMs - this.#windowStartMs >= windowMs) this.#turn(nowMs);
    this.#current = value;
    if (value > this.#peak) this.#peak = value;
  }

  read(nowMs: number): number {
    if (nowMs - this.#windowStartMs >= windowMs) this.#turn(nowMs);
    return this.#shown;
  }

  #turn(nowMs: number): void {
    // After more than one page without a change the number was what it is now all the time.
    this.#shown = nowMs - this.#windowStartMs >= 2 * windowMs ? this.#current : this.#peak;
    this.#peak = this.#current;
    this.#windowStartMs = nowMs;
  }
}
