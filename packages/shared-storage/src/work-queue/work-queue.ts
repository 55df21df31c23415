import { backoffMs, type Timer, type TimerClock } from '@kubechain/apimachinery';
import { LRUMap, TokenBucket } from '@kubechain/apimachinery';
import { OneAfterAnother, OwnersInTurns, type KeyOrder, type Sharing } from './key-order.ts';
import type { QueueMetrics, WorkQueueMetrics } from '../metrics/index.ts';

/** Owners whose retries are counted; whoever has not retried for longest begins anew. */
const MOST_BUCKETS = 1_000;

export interface WorkQueueOptions<K = string> {
  readonly clock: TimerClock;
  /** Delay after the first failure of a key, ms; doubled with each. Default 5. */
  readonly firstMs?: number;
  /** Longest delay of a key, ms. Default 1,000,000 (16 minutes 40 seconds). */
  readonly longestMs?: number;
  /** Retries of all keys of an owner together: so many a second after a burst. Default 10 and 100. */
  readonly bucket?: { readonly qps: number; readonly burst: number };
  /** The queue's `name` in metrics, as upstream's queue of that kind is called. */
  readonly name: string;
  /** Where it is counted. Default: nowhere. */
  readonly metrics?: WorkQueueMetrics | undefined;
  /**
   * Owners of keys take turns; what a key's owner is must not change. Default: keys go in the order of their coming, as
   * if all had one owner.
   */
  readonly sharing?: Sharing<K> | undefined;
}

/**
 * Keys that wait to be worked on, with client-go's semantics (util/workqueue): a key is in the queue once however often
 * it was added; while it is worked on it is not handed out again, and if it was added meanwhile it comes back after
 * `done`. In memory, unbounded: at most one entry per key.
 *
 *     add ─────────────► queue ──get──► processing ──done──► (again in the queue if it was added meanwhile)
 *     addAfter ─ timer ─► add
 *     addRateLimited ─ 5 ms · 2ⁿ, and the bucket of its owner ─► addAfter
 */
export class WorkQueue<K = string> {
  readonly #clock: TimerClock;
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #newBucket: () => TokenBucket;
  readonly #buckets = new LRUMap<string, TokenBucket>(MOST_BUCKETS);
  readonly #ownerOf: (key: K) => string;
  readonly #queue: KeyOrder<K>;
  readonly #processing = new Set<K>();
  /** Added while they were worked on. */
  readonly #dirty = new Set<K>();
  readonly #waiting = new Map<K, { readonly dueMs: number; readonly timer: Timer }>();
  readonly #failures = new Map<K, number>();
  readonly #takers: ((key: K | undefined) => void)[] = [];
  readonly #metrics: QueueMetrics<K> | undefined;
  #shutDown = false;

  constructor(options: WorkQueueOptions<K>) {
    const { clock, firstMs = 5, longestMs = 1_000_000, bucket = { qps: 10, burst: 100 } } = options;
    this.#queue = options.sharing === undefined ? new OneAfterAnother() : new OwnersInTurns(options.sharing);
    this.#metrics = options.metrics?.queue(options.name, () => this.#queue.size);
    this.#clock = clock;
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#newBucket = () => new TokenBucket(bucket.qps, bucket.burst, clock);
    this.#ownerOf = options.sharing?.ownerOf ?? (() => '');
  }

  /** Keys that wait to be taken now. */
  get length(): number {
    return this.#queue.size;
  }

  /** Nothing waits, nothing is worked on; keys whose time has not come do not count. */
  get idle(): boolean {
    return this.#queue.size === 0 && this.#processing.size === 0;
  }

  add(key: K): void {
    if (this.#shutDown) return;
    if (this.#queue.has(key) || this.#dirty.has(key)) return;
    this.#metrics?.added(key);
    if (this.#processing.has(key)) this.#dirty.add(key);
    else this.#push(key);
  }

  /** Adds the key when `delayMs` have passed; the earliest of several times holds. */
  addAfter(key: K, delayMs: number): void {
    if (this.#shutDown) return;
    this.#metrics?.retried();
    if (delayMs <= 0) return this.add(key);
    const dueMs = this.#clock.now() + delayMs;
    const known = this.#waiting.get(key);
    if (known !== undefined && known.dueMs <= dueMs) return;
    known?.timer.cancel();
    const timer = this.#clock.setTimer(() => {
      this.#waiting.delete(key);
      this.add(key);
    }, delayMs);
    this.#waiting.set(key, { dueMs, timer });
  }

  /** Adds the key after what its failures so far, and its owner's other retries, make it wait. */
  addRateLimited(key: K): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const ownMs = backoffMs(failures, { firstMs: this.#firstMs, longestMs: this.#longestMs });
    this.addAfter(key, Math.max(ownMs, this.#bucketOf(key).reserve()));
  }

  /** The key's failures are over. */
  forget(key: K): void {
    this.#failures.delete(key);
  }

  /** How often the key was added rate-limited since it was forgotten. */
  numRequeues(key: K): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key, which must be given to `done`; undefined when the queue was shut down and is empty. */
  get(): Promise<K | undefined> {
    const key = this.#next();
    if (key !== undefined) return Promise.resolve(key);
    if (this.#shutDown) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(key: K): void {
    this.#metrics?.done(key);
    this.#processing.delete(key);
    this.#queue.done(key);
    if (this.#dirty.delete(key) && !this.#shutDown) this.#push(key);
    else this.#hand();
  }

  /** Says how many work on its keys, of whom those of one owner have a part. */
  set workers(workers: number) {
    this.#queue.workers = workers;
  }

  /** No more keys are taken in; those in the queue are still handed out, then `get` resolves to undefined. */
  shutDown(): void {
    this.#shutDown = true;
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #bucketOf(key: K): TokenBucket {
    const owner = this.#ownerOf(key);
    let bucket = this.#buckets.get(owner);
    if (bucket === undefined) this.#buckets.set(owner, (bucket = this.#newBucket()));
    return bucket;
  }

  #push(key: K): void {
    this.#queue.add(key);
    this.#hand();
  }

  /** Gives those who wait what may be worked on now. */
  #hand(): void {
    while (this.#takers.length > 0) {
      const key = this.#next();
      if (key === undefined) return;
      this.#takers.shift()?.(key);
    }
  }

  #next(): K | undefined {
    const key = this.#queue.take();
    if (key === undefined) return undefined;
    this.#processing.add(key);
    this.#metrics?.taken(key);
    return key;
  }
}
