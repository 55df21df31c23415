const maxRetryAfterSeconds = 32;

interface SecondOfDrops {
  readonly second: number;
  readonly count: number;
}

/**
 * How long the clients of one level are asked to stay away: doubled while many requests are refused all the same, one
 * second less at a time when few are, as TCP's window (util/flowcontrol/dropped_requests_tracker.go, 1.36).
 */
export class DroppedRequests {
  #history: SecondOfDrops[] = [];
  #second = 0;
  #count = 0;
  #raisedSecond = 0;
  retryAfterSeconds = 1;

  /** @param second whole seconds since the epoch */
  record(second: number): void {
    if (second === this.#second) {
      this.#count++;
      return;
    }
    const kept = Math.min(2 * this.retryAfterSeconds, maxRetryAfterSeconds);
    this.#history.push({ second: this.#second, count: this.#count });
    this.#history = this.#history.filter((entry) => this.#second - entry.second <= kept);
    this.#second = second;
    this.#count = 1;
    this.#adjust(second);
  }

  #adjust(second: number): void {
    const seconds = this.retryAfterSeconds;
    const dropped = this.#history.reduce((sum, entry) => sum + (second - entry.second <= seconds ? entry.count : 0), 0);
    if (second - this.#raisedSecond >= seconds && dropped >= 3 * seconds) {
      this.retryAfterSeconds = Math.min(2 * seconds, maxRetryAfterSeconds);
      this.#raisedSecond = second;
    } else if (dropped < seconds && seconds > 1) {
      this.retryAfterSeconds--;
    }
  }
}
