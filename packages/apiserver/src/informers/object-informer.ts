import { systemClock, systemRandomness, type TimerClock } from '@kubechain/apimachinery';
import { Reflector, type InformerEnds, type ObjectRecord, type StorageInterface } from '@kubechain/shared-storage';
import { Logger } from '../logging/logger.ts';

const log = new Logger('informer');

/**
 * A change as handlers see it: the key below the root (`name` or `namespace/name`), the value after it, the one before.
 */
export type InformerChange<T> =
  | { readonly kind: 'set'; readonly key: string; readonly value: T; readonly previous: T | undefined }
  | { readonly kind: 'delete'; readonly key: string; readonly previous: T };

export interface ObjectInformerOptions<T> {
  readonly storage: StorageInterface;
  /** Full key root without trailing slash, e.g. `/registry/clusterroles`. */
  readonly keyRoot: string;
  /**
   * What is kept of each object; undefined keeps nothing. Runs once per object version. May throw: the object is then
   * left out and `onError` told.
   */
  readonly transform: (record: ObjectRecord) => T | undefined;
  readonly onError?: (error: unknown) => void;
  /** Where it counts why its watches end. Default: nowhere. */
  readonly informerEnds?: InformerEnds | undefined;
  /** Milliseconds before a list or watch is tried again after a failure, doubled up to 30 s. Default 50. */
  readonly retryDelayMs?: number;
  /** Default: the machine's. */
  readonly clock?: TimerClock;
  /** In [0, 1); spreads retries. Default: the machine's. */
  readonly random?: () => number;
}

/** The longest pause between attempts, ms. */
const longestPauseMs = 30_000;

interface Item<T> {
  readonly revision: number;
  readonly value: T;
}

/**
 * The current state of one resource, kept by a reflector: first everything there is, then each change.
 *
 *     start ──► list ──► synced ──► watch: events… ──end──► the watch goes on where it was
 *                 ▲                                                │ that history is gone
 *                 └────────────────────────────────────────────────┘
 *
 * After a list everything is compared, so handlers see what they missed as changes; reads go on from the last known
 * state meanwhile. Staleness is that of the watch: milliseconds while it runs.
 */
export class ObjectInformer<T> {
  readonly #options: ObjectInformerOptions<T>;
  readonly #prefix: string;
  readonly #items = new Map<string, Item<T>>();
  readonly #handlers: ((change: InformerChange<T>) => void)[] = [];
  /** Who waits for the first sync, until their signal aborts. */
  readonly #syncWaiters = new Set<() => void>();
  #reflector: Reflector | undefined;
  #synced = false;

  constructor(options: ObjectInformerOptions<T>) {
    this.#options = options;
    this.#prefix = `${options.keyRoot}/`;
  }

  /** True once the first complete state is there. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  get size(): number {
    return this.#items.size;
  }

  get(key: string): T | undefined {
    return this.#items.get(key)?.value;
  }

  /** Keys below the root with what is kept. */
  *entries(): Generator<readonly [key: string, value: T]> {
    for (const [key, { value }] of this.#items) yield [key, value];
  }

  *values(): Generator<T> {
    for (const item of this.#items.values()) yield item.value;
  }

  /** Handlers run synchronously and in order, and must not throw. One that is added late gets no past changes. */
  onChange(handler: (change: InformerChange<T>) => void): void {
    this.#handlers.push(handler);
  }

  /** Begins to list and watch; returns at once. */
  start(): void {
    if (this.#reflector !== undefined) return;
    const {
      clock = systemClock,
      onError,
      random = systemRandomness.random,
      retryDelayMs = 50,
      storage,
    } = this.#options;
    const reflector = new Reflector({
      storage,
      prefix: this.#prefix,
      clock,
      random,
      pauses: { firstMs: retryDelayMs, longestMs: longestPauseMs },
      target: {
        replace: (records) => {
          if (this.#reflector === reflector) this.#replace(records);
        },
        apply: (record, deleted) => {
          if (this.#reflector !== reflector) return true;
          if (deleted) this.#delete(this.#keyOf(record));
          else this.#set(record);
          return true;
        },
        progress: () => undefined,
        // Reads go on from what is known; the list that follows tells what was missed.
        lost: () => undefined,
        failed: (error) => {
          onError?.(error);
        },
        ended: (end) => {
          const { informerEnds, keyRoot } = this.#options;
          informerEnds?.ended(keyRoot, end);
          log.info('Watch of an informer ended', { keyRoot, reason: end.kind }, 3);
        },
      },
    });
    this.#reflector = reflector;
    reflector.start();
  }

  /**
   * Resolves when the first complete state is there; never rejects, waits as long as it takes unless `signal` aborts
   * (then it resolves too).
   */
  waitForSync(signal?: AbortSignal): Promise<void> {
    if (this.#synced || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#syncWaiters.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#syncWaiters.add(done);
      signal?.addEventListener('abort', done);
    });
  }

  /** Ends the watch. Reads still answer the last state. */
  stop(): void {
    void this.#reflector?.stop();
    this.#reflector = undefined;
  }

  #keyOf(record: ObjectRecord): string {
    return record.key.slice(this.#prefix.length);
  }

  #replace(records: readonly ObjectRecord[]): void {
    const listed = new Map<string, Item<T>>();
    for (const record of records) {
      const value = this.#valueOf(record);
      if (value !== undefined) listed.set(this.#keyOf(record), { revision: record.revision, value });
    }
    for (const key of this.#items.keys()) if (!listed.has(key)) this.#delete(key);
    for (const [key, item] of listed) this.#store(key, item);
    this.#synced = true;
    for (const done of this.#syncWaiters) done();
  }

  #set(record: ObjectRecord): void {
    const key = this.#keyOf(record);
    const value = this.#valueOf(record);
    if (value === undefined) this.#delete(key);
    else this.#store(key, { revision: record.revision, value });
  }

  /** What is kept of an object; what a list shows again is not decoded again. */
  #valueOf(record: ObjectRecord): T | undefined {
    const known = this.#items.get(this.#keyOf(record));
    if (known?.revision === record.revision) return known.value;
    try {
      return this.#options.transform(record);
    } catch (error) {
      this.#options.onError?.(error);
      return undefined;
    }
  }

  #delete(key: string): void {
    const known = this.#items.get(key);
    if (known === undefined) return;
    this.#items.delete(key);
    this.#notify({ kind: 'delete', key, previous: known.value });
  }

  #store(key: string, item: Item<T>): void {
    const known = this.#items.get(key);
    if (known?.revision === item.revision) return;
    this.#items.set(key, item);
    this.#notify({ kind: 'set', key, value: item.value, previous: known?.value });
  }

  #notify(change: InformerChange<T>): void {
    for (const handler of this.#handlers) handler(change);
  }
}
