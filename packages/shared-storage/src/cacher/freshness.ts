import { StorageError } from '../storage/errors.ts';
import type { ConditionalProgressRequester } from './progress-requester.ts';
import type { Timer, TimerClock } from '@kubechain/apimachinery';

/** How long a read waits for the cache to catch up, and when its client should try again (watch_cache.go, 1.36). */
const FRESHNESS_TIMEOUT_MS = 3000;
const RETRY_SECONDS = 1;

interface Waiter {
  readonly revision: number;
  readonly promise: Promise<boolean>;
  readonly resolve: (fresh: boolean) => void;
  timer: Timer | undefined;
}

/** Lets reads wait until the cache contains a revision. Waits for the same revision within one wait are shared. */
export class Freshness {
  readonly #clock: TimerClock;
  readonly #progress: ConditionalProgressRequester;
  readonly #waiters = new Map<number, Waiter>();
  #revision = 0;
  #lowest = Infinity;
  #timedOutAt = -1;

  constructor(clock: TimerClock, progress: ConditionalProgressRequester) {
    this.#clock = clock;
    this.#progress = progress;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** A wait has timed out and the cache has not moved since: waiting again would be in vain. */
  get stalled(): boolean {
    return this.#timedOutAt === this.#revision;
  }

  /** The cache now contains `revision`. May go down when the cache starts over. */
  advance(revision: number): void {
    this.#revision = revision;
    if (revision < this.#lowest) return;
    this.#lowest = Infinity;
    for (const waiter of this.#waiters.values()) {
      if (waiter.revision <= revision) this.#finish(waiter, true);
      else this.#lowest = Math.min(this.#lowest, waiter.revision);
    }
  }

  /** True at once or as soon as the cache contains `revision`, false after FRESHNESS_TIMEOUT_MS. */
  reached(revision: number): Promise<boolean> {
    if (revision <= this.#revision) return reached;
    const waiting = this.#waiters.get(revision);
    if (waiting !== undefined) return waiting.promise;
    const waiter: Waiter = { revision, ...Promise.withResolvers<boolean>(), timer: undefined };
    waiter.timer = this.#clock.setTimer(() => {
      this.#timedOutAt = this.#revision;
      this.#finish(waiter, false);
    }, FRESHNESS_TIMEOUT_MS);
    this.#waiters.set(revision, waiter);
    this.#lowest = Math.min(this.#lowest, revision);
    this.#progress.add();
    return waiter.promise;
  }

  /** Ends all waits unsuccessfully. */
  stop(): void {
    for (const waiter of this.#waiters.values()) this.#finish(waiter, false);
    this.#lowest = Infinity;
  }

  /** What to tell a client that asked for more than the cache has; `wanted` as the client wrote it. */
  tooLarge(wanted: string): StorageError {
    return new StorageError(
      'TooLargeResourceVersion',
      `Too large resource version: ${wanted}, current: ${this.#revision}`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }

  #finish(waiter: Waiter, fresh: boolean): void {
    waiter.timer?.cancel();
    this.#waiters.delete(waiter.revision);
    this.#progress.remove();
    waiter.resolve(fresh);
  }
}

const reached = Promise.resolve(true);
