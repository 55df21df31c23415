import type { Clock } from '../meta/time.ts';

/** A token bucket: `burst` at once, then `qps` a second (golang.org/x/time/rate as client-go uses it). */
export class TokenBucket {
  readonly #qps: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #tokens: number;
  #atMs: number;

  constructor(qps: number, burst: number, clock: Clock) {
    this.#qps = qps;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#atMs = clock.now();
  }

  /** Takes a token that will be there in so many milliseconds; 0 when there is one now. */
  reserve(): number {
    this.#refill();
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000;
  }

  /** Takes a token if there is one. */
  tryAccept(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #refill(): void {
    const nowMs = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (Math.max(0, nowMs - this.#atMs) / 1000) * this.#qps);
    this.#atMs = nowMs;
  }
}
