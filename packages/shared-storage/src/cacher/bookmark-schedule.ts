import { append } from '@kubechain/apimachinery';
import type { CacheWatcher } from './cache-watcher.ts';
import type { Timer, TimerClock } from '@kubechain/apimachinery';

/** About once a minute, and this long before a watch ends (cache_watcher.go, 1.36). */
const PERIOD_MS = 60_000;
const JITTER = 0.15;
const BEFORE_DEADLINE_MS = 2000;
/** Watchers whose bookmarks are due within one of these get them together. */
const BUCKET_MS = 1000;

export interface BookmarkScheduleOptions {
  readonly clock: TimerClock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Bookmarks are due. */
  readonly send: (watchers: Iterable<CacheWatcher>) => void;
}

/** Knows when which watcher gets its next bookmark. One timer for all of them, none when nobody waits. */
export class BookmarkSchedule {
  readonly #options: BookmarkScheduleOptions;
  readonly #buckets = new Map<number, Set<CacheWatcher>>();
  readonly #bucketOf = new Map<CacheWatcher, number>();
  #timer: Timer | undefined;
  #timerBucket = Infinity;

  constructor(options: BookmarkScheduleOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#bucketOf.size;
  }

  add(watcher: CacheWatcher): void {
    this.#add(watcher, this.#options.clock.now());
  }

  /** Does nothing for a watch whose last bookmark was due before `earliest`. */
  #add(watcher: CacheWatcher, earliest: number): void {
    const now = this.#options.clock.now();
    let due = now + PERIOD_MS * (1 - JITTER * this.#options.random());
    if (watcher.deadlineMs !== undefined) due = Math.min(due, watcher.deadlineMs - BEFORE_DEADLINE_MS);
    if (due < earliest) return;
    // Rounded down: a bookmark before the deadline must not come after it.
    const bucket = Math.floor(due / BUCKET_MS);
    let watchers = this.#buckets.get(bucket);
    if (watchers === undefined) this.#buckets.set(bucket, (watchers = new Set()));
    watchers.add(watcher);
    this.#bucketOf.set(watcher, bucket);
    if (bucket < this.#timerBucket) this.#arm(bucket);
  }

  delete(watcher: CacheWatcher): void {
    const bucket = this.#bucketOf.get(watcher);
    if (bucket === undefined) return;
    this.#bucketOf.delete(watcher);
    const watchers = this.#buckets.get(bucket);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#buckets.delete(bucket);
    if (this.#bucketOf.size === 0) this.#disarm();
  }

  #arm(bucket: number): void {
    this.#timer?.cancel();
    this.#timerBucket = bucket;
    this.#timer = this.#options.clock.setTimer(this.#fire, Math.max(1, bucket * BUCKET_MS - this.#options.clock.now()));
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#timerBucket = Infinity;
  }

  readonly #fire = (): void => {
    this.#disarm();
    const bucketNow = Math.floor(this.#options.clock.now() / BUCKET_MS);
    const due: CacheWatcher[] = [];
    let next = Infinity;
    for (const [bucket, watchers] of this.#buckets) {
      if (bucket > bucketNow) next = Math.min(next, bucket);
      else {
        append(due, watchers);
        this.#buckets.delete(bucket);
      }
    }
    for (const watcher of due) this.#bucketOf.delete(watcher);
    if (next !== Infinity) this.#arm(next);
    this.#options.send(due);
    for (const watcher of due) {
      // Not again within the bucket in which the one before the deadline has just been sent.
      if (watcher.phase !== 'ended') this.#add(watcher, this.#options.clock.now() + BUCKET_MS);
    }
  };
}
