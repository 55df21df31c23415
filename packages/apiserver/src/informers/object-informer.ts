import type { ObjectRecord, StorageInterface, Watch, WatchEvent, WatchSink } from '@kubechain/shared-storage';

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
  /** Milliseconds before the watch is tried again after a failure, doubled up to 30 s. Default 50. */
  readonly retryDelayMs?: number;
}

/**
 * The current state of one resource, followed by a watch: first everything there is, then each change.
 *
 *     start ──► watch(sendInitialEvents) ── ADDED… ── bookmark(initial-events-end) ──► synced ── events…
 *                  ▲                                                                              │ end or ERROR
 *                  └───────────────────────── delay, then all over ◄──────────────────────────────┘
 *
 * After a broken watch everything is read again and compared, so handlers see what they missed as changes, and reads
 * go on from the last known state meanwhile. Staleness is that of the watch: milliseconds while it runs.
 */
export class ObjectInformer<T> {
  readonly #options: ObjectInformerOptions<T>;
  readonly #prefix: string;
  readonly #items = new Map<string, { readonly revision: number; readonly value: T }>();
  readonly #handlers: ((change: InformerChange<T>) => void)[] = [];
  readonly #syncWaiters: (() => void)[] = [];
  #initial: Map<string, { readonly revision: number; readonly value: T }> | undefined;
  #watch: Watch | undefined;
  #abort: AbortController | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #failures = 0;
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

  *values(): Generator<T> {
    for (const item of this.#items.values()) yield item.value;
  }

  /** Handlers run synchronously and in order, and must not throw. One that is added late gets no past changes. */
  onChange(handler: (change: InformerChange<T>) => void): void {
    this.#handlers.push(handler);
  }

  /** Begins to watch; returns at once. */
  start(): void {
    if (this.#abort !== undefined) return;
    this.#abort = new AbortController();
    this.#begin(this.#abort.signal);
  }

  /**
   * Resolves when the first complete state is there; never rejects, waits as long as it takes unless `signal` aborts
   * (then it resolves too).
   */
  waitForSync(signal?: AbortSignal): Promise<void> {
    if (this.#synced || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      this.#syncWaiters.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Ends the watch. Reads still answer the last state. */
  stop(): void {
    clearTimeout(this.#retryTimer);
    this.#abort?.abort();
    this.#abort = undefined;
    this.#watch?.stop();
    this.#watch = undefined;
  }

  #begin(signal: AbortSignal): void {
    this.#initial = new Map();
    let ended = false;
    const sink: WatchSink = {
      event: (event) => {
        if (!signal.aborted) this.#receive(event);
        return true;
      },
      end: () => {
        if (ended) return;
        ended = true;
        this.#watch = undefined;
        this.#retry(signal);
      },
    };
    this.#options.storage
      .watch(
        this.#prefix,
        { resourceVersion: '', sendInitialEvents: true, allowWatchBookmarks: true, recursive: true, signal },
        sink,
      )
      .then(
        (watch) => {
          if (signal.aborted) watch.stop();
          else if (!ended) this.#watch = watch;
        },
        (error: unknown) => {
          if (signal.aborted || ended) return;
          ended = true;
          this.#options.onError?.(error);
          this.#retry(signal);
        },
      );
  }

  #retry(signal: AbortSignal): void {
    if (signal.aborted) return;
    const delayMs = Math.min((this.#options.retryDelayMs ?? 50) * 2 ** this.#failures, 30_000);
    this.#failures++;
    this.#retryTimer = setTimeout(() => this.#begin(signal), delayMs);
  }

  #receive(event: WatchEvent): void {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        this.#set(event.record);
        return;
      case 'DELETED':
        this.#delete(event.record.key.slice(this.#prefix.length));
        return;
      case 'BOOKMARK':
        this.#failures = 0;
        if (event.initialEventsEnd) this.#replace();
        return;
      case 'ERROR':
        this.#options.onError?.(event.error);
        return;
      default:
        event satisfies never;
    }
  }

  #set(record: ObjectRecord): void {
    const key = record.key.slice(this.#prefix.length);
    const known = this.#items.get(key);
    let value: T | undefined;
    // What a re-list shows again is not decoded again.
    if (known !== undefined && known.revision === record.revision) value = known.value;
    else {
      try {
        value = this.#options.transform(record);
      } catch (error) {
        this.#options.onError?.(error);
      }
    }
    if (value === undefined) return this.#delete(key);
    const item = { revision: record.revision, value };
    if (this.#initial !== undefined) this.#initial.set(key, item);
    else this.#store(key, item);
  }

  #delete(key: string): void {
    if (this.#initial !== undefined) {
      this.#initial.delete(key);
      return;
    }
    const known = this.#items.get(key);
    if (known === undefined) return;
    this.#items.delete(key);
    this.#notify({ kind: 'delete', key, previous: known.value });
  }

  #store(key: string, item: { readonly revision: number; readonly value: T }): void {
    const known = this.#items.get(key);
    if (known?.revision === item.revision) return;
    this.#items.set(key, item);
    this.#notify({ kind: 'set', key, value: item.value, previous: known?.value });
  }

  #replace(): void {
    const initial = this.#initial;
    if (initial === undefined) return;
    this.#initial = undefined;
    for (const key of this.#items.keys()) if (!initial.has(key)) this.#delete(key);
    for (const [key, item] of initial) this.#store(key, item);
    this.#synced = true;
    for (const resolve of this.#syncWaiters.splice(0)) resolve();
  }

  #notify(change: InformerChange<T>): void {
    for (const handler of this.#handlers) handler(change);
  }
}
