import { backoffMs, type Clock } from '@kubechain/apimachinery';

const firstMs = 1_000;
const longestMs = 15 * 60_000;

/** How long a failed pod stays before another one takes its place: twice as long with each, by node. */
export class FailedPodBackOff {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, { failures: number; atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds that are left; 0 takes it for replaced now, from which the next wait counts. */
  waitMs(key: string): number {
    const nowMs = this.#clock.now();
    const known = this.#byKey.get(key);
    if (known === undefined) {
      this.#byKey.set(key, { failures: 1, atMs: nowMs });
      return 0;
    }
    const pauseMs = backoffMs(known.failures - 1, { firstMs, longestMs });
    const leftMs = known.atMs + pauseMs - nowMs;
    if (leftMs > 0) return leftMs;
    // Long without a failure: it begins anew (flowcontrol.Backoff).
    known.failures = nowMs - known.atMs > 2 * longestMs ? 1 : known.failures + 1;
    known.atMs = nowMs;
    return 0;
  }
}
