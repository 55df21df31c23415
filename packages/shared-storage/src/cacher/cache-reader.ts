import { selects } from '../storage/selects.ts';
import { toldRevision } from '../storage/resource-version.ts';
import type { GetOptions, ListOptions, ListResult, ObjectRecord, StorageInterface } from '../storage/interfaces.ts';
import { StorageError, keyError } from '../storage/errors.ts';
import { parseBareResourceVersion } from '../storage/resource-version.ts';
import { prepareKey } from '../storage/storage-key.ts';
import type { CacherMetrics } from './cacher-metrics.ts';
import type { ConsistentReads } from './consistent-reads.ts';
import { listPage } from './list-page.ts';
import type { ListSource } from './list-page.ts';
import { planList } from '../storage/list-plan.ts';
import type { ListPlan } from '../storage/list-plan.ts';
import type { ReadyState } from './ready-state.ts';
import { prefixRangeEnd } from '../etcd-client/prefix-range.ts';
import type { WatchCache } from './watch-cache.ts';
import type { Span } from '../tracing/span.ts';

export interface CacheReaderOptions {
  readonly cache: WatchCache;
  readonly ready: ReadyState;
  readonly reads: ConsistentReads;
  readonly storage: StorageInterface;
  readonly metrics: CacherMetrics;
  readonly keyRoot: string;
}

/** A list's plan, and its span where it is traced. */
interface PlannedRead {
  readonly plan: ListPlan;
  readonly span: Span | undefined;
}

/**
 * GET and LIST from a cache, or from the store where the cache cannot answer (delegator.go and watch_cache.go, 1.36).
 */
export class CacheReader {
  readonly #cache: WatchCache;
  readonly #ready: ReadyState;
  readonly #reads: ConsistentReads;
  readonly #storage: StorageInterface;
  readonly #metrics: CacherMetrics;
  readonly #keyRoot: string;

  constructor(options: CacheReaderOptions) {
    this.#cache = options.cache;
    this.#ready = options.ready;
    this.#reads = options.reads;
    this.#storage = options.storage;
    this.#metrics = options.metrics;
    this.#keyRoot = options.keyRoot;
  }

  async get(key: string, options: GetOptions, span?: Span): Promise<ObjectRecord | undefined> {
    const prepared = prepareKey(this.#keyRoot, key, false);
    const { resourceVersion = '' } = options;
    if (options.uncached === true) return this.#getStored(key, options, span);
    const revision = parseBareResourceVersion(resourceVersion);
    if (!this.#ready.isReady) {
      // One object costs the store less than waiting for all of them costs the client.
      this.#ready.start();
      span?.event('About to Get from underlying storage - cache not initialized');
      return this.#storage.get(key, options);
    }
    if (resourceVersion === '') {
      if (!(await this.#reads.caughtUp())) return this.#getStored(key, options, span);
    } else if (revision > this.#cache.revision && !(await this.#reads.reached(revision))) {
      throw this.#reads.tooLarge(resourceVersion);
    }
    throwIfAborted(options.signal);
    // The state may have been lost during the wait.
    if (!this.#ready.isReady) return this.#getStored(key, options, span);
    span?.event('About to fetch object from cache');
    options.answeredBy?.('cache');
    const record = this.#cache.get(prepared);
    if (record === undefined && options.ignoreNotFound !== true) throw keyError('KeyNotFound', prepared);
    return record;
  }

  #getStored(key: string, options: GetOptions, span: Span | undefined): Promise<ObjectRecord | undefined> {
    span?.event('About to Get from underlying storage');
    return this.#storage.get(key, options);
  }

  async getList(key: string, options: ListOptions, span?: Span): Promise<ListResult> {
    const recursive = options.recursive ?? true;
    const prepared = prepareKey(this.#keyRoot, key, recursive);
    const plan = planList(prepared, options);
    if (plan.kind === 'exact' && !recursive) return this.#storage.getList(key, options);
    if (!this.#ready.isReady && !(await this.#ready.firstFill())) {
      if (isPlainPage(options)) return this.#storage.getList(key, options);
      throw this.#ready.error();
    }
    span?.event('Ready');
    const read = { plan, span };
    if (plan.kind === 'latest') return this.#listLatest(prepared, read, options);
    if (plan.revision > this.#cache.revision) {
      // A page at a revision that the cache has not reached: without progress notifications it may never do.
      if (plan.kind === 'exact' && !(await this.#reads.supported())) return this.#storage.getList(key, options);
      if (!(await this.#reads.reached(plan.revision))) throw this.#reads.tooLarge(toldRevision(options, plan.revision));
    }
    throwIfAborted(options.signal);
    if (!this.#ready.isReady) throw this.#ready.error();
    return this.#listFromCache(prepared, read, options) ?? this.#storage.getList(key, options);
  }

  /** Objects below a prefix; a little stale. */
  async count(key: string, options: { readonly signal?: AbortSignal }): Promise<number> {
    if (!this.#ready.isReady) return this.#storage.count(key, options);
    const prefix = prepareKey(this.#keyRoot, key, true);
    return this.#cache.tree.count(prefix, prefixRangeEnd(prefix));
  }

  async #listLatest(key: string, read: PlannedRead, options: ListOptions): Promise<ListResult> {
    let fallback = false;
    let success = false;
    try {
      fallback = !(await this.#reads.caughtUp()) || !this.#ready.isReady;
      throwIfAborted(options.signal);
      const result =
        (fallback ? undefined : this.#listFromCache(key, read, options)) ?? (await this.#storage.getList(key, options));
      success = true;
      return result;
    } finally {
      this.#metrics.consistentRead(success, fallback);
    }
  }

  /** Undefined when the history does not reach back to an exact revision. Does not yield. */
  #listFromCache(key: string, { plan, span }: PlannedRead, options: ListOptions): ListResult | undefined {
    span?.event('watchCache fresh enough');
    if (options.recursive === false) return this.#listOne(key, options);
    const match = plan.kind !== 'exact' && plan.startKey === key ? this.#cache.indexFor(options.predicate) : undefined;
    let source: ListSource;
    if (plan.kind === 'exact') {
      const tree =
        plan.revision < (this.#storage.compactedRevision?.() ?? 0) ? undefined : this.#cache.snapshotAt(plan.revision);
      if (tree === undefined) return undefined;
      source = { tree, revision: plan.revision, candidates: undefined };
    } else
      source = {
        tree: this.#cache.tree,
        revision: this.#cache.revision,
        candidates: match?.index.list(match.value, key),
      };
    // resourceVersion=0 has always ignored the limit.
    const limit =
      options.limit !== undefined && options.limit > 0 && options.resourceVersion !== '0' ? options.limit : Infinity;
    options.answeredBy?.('cache');
    const { result, fetched } = listPage(source, { prefix: key, startKey: plan.startKey, limit }, options);
    span?.event('Listed items from cache', { count: fetched });
    // Its next pages will be read at this revision; remembering the state now is free, undoing events later is not.
    if (result.continue !== '' && plan.kind !== 'exact') this.#cache.snapshotAt(source.revision);
    this.#metrics.listed(match === undefined ? '' : `f:${match.index.name}`, fetched, result.items.length);
    return result;
  }

  #listOne(key: string, options: ListOptions): ListResult {
    options.answeredBy?.('cache');
    const record = this.#cache.get(key);
    const items =
      record !== undefined && (options.predicate === undefined || selects(options.predicate, record)) ? [record] : [];
    this.#metrics.listed('', record === undefined ? 0 : 1, items.length);
    return { items, resourceVersion: String(this.#cache.revision), continue: '' };
  }
}

/** @throws StorageError `Aborted` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StorageError('Aborted', 'the request was aborted', { cause: signal.reason });
}

/**
 * Upstream lets only such lists through to the store while a cache is not ready: they cost the store little
 * (delegator.go, 1.36).
 */
function isPlainPage(options: ListOptions): boolean {
  return (options.limit ?? 0) > 0 && (options.predicate?.empty ?? true);
}
