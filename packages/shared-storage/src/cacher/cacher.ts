import type { KubeObject, TimerClock } from '@kubechain/apimachinery';
import type { MetricRegistry } from '../metrics/metric-registry.ts';
import type { StorageResourceConfig } from '../storage/rest-options.ts';
import { StorageError } from '../storage/errors.ts';
import type {
  DeleteOptions,
  GetOptions,
  GuaranteedUpdateOptions,
  ListOptions,
  ListResult,
  ObjectRecord,
  StorageInterface,
  UpdateFunction,
  Watch,
  WatchOptions,
  WatchSink,
} from '../storage/interfaces.ts';
import { parseBareResourceVersion } from '../storage/resource-version.ts';
import { prepareKey } from '../storage/storage-key.ts';
import { activeSpan, traced, type SpanAttributes } from '../tracing/span.ts';
import { CacheReader, throwIfAborted } from './cache-reader.ts';
import { CacheWatchers } from './cache-watchers.ts';
import type { CacheExtent, CacherDescription } from './cacher-description.ts';
import { CacherMetrics } from './cacher-metrics.ts';
import { ConsistencyChecker } from './consistency-checker.ts';
import type { ConsistencyResult } from './consistency-checker.ts';
import { ConsistentReads } from './consistent-reads.ts';
import { EarlyWrites } from './early-writes.ts';
import type { EventWindowOptions } from './event-window.ts';
import { ReadyState } from './ready-state.ts';
import { Reflector } from '../reflector/reflector.ts';
import { SharedRevision } from './shared-revision.ts';
import { formatGroupResource, messageOf, systemClock, systemRandomness } from '@kubechain/apimachinery';
import { WatchCache } from './watch-cache.ts';

/**
 * Ms for which a watch may leave a progress request unanswered: a busy store takes seconds, a dead connection forever.
 */
const SILENCE_MS = 30_000;
/** Ms for which the cache goes on with what it has while its watch tells something unreadable (cacher.go, 1.36). */
const UNREADABLE_MS = 30_000;

export interface CacherOptions {
  /** The store behind; the cacher closes it. */
  readonly storage: StorageInterface;
  readonly config: StorageResourceConfig;
  /** Full key root, `--etcd-prefix` + resource prefix, no trailing slash. */
  readonly keyRoot: string;
  /** Default: the machine's. */
  readonly clock?: TimerClock;
  /** A number in [0, 1), for jitter. Default: the machine's. */
  readonly random?: () => number;
  /** Where metrics are registered; caches that share a registry share the metrics. */
  readonly metrics?: MetricRegistry;
  /** Revision reads, when caches of one store share them. Default: an own one over `storage`. */
  readonly sharedRevision?: SharedRevision;
  /** The store's revision when the process began: watches may begin there. Default: unknown. */
  readonly beganAt?: () => number | undefined;
  /** `lazy` (default): the resource is listed when somebody first wants to read it; `eager`: at once. */
  readonly start?: 'lazy' | 'eager';
  readonly window?: EventWindowOptions;
  /** Told about every failure that the cacher recovers from by itself. */
  readonly onError?: (error: unknown, context: CacherErrorContext) => void;
  /**
   * Compares the cache with its store every five minutes; a difference is reported to `onError` and everything is read
   * again. Default false.
   */
  readonly consistencyChecks?: boolean;
  /** Told of a cache that differs from its store, before it is read again. */
  readonly onInconsistent?: (error: StorageError) => void;
  /** Called once, when `close` is. */
  readonly onClose?: () => void;
}

/** What went wrong and what happens next. */
export interface CacherErrorContext {
  readonly resource: string;
  readonly what: 'list' | 'watch' | 'reinitialize' | 'consistencyCheck';
  /** Absent when there is no pause. */
  readonly retryInMs?: number;
}

/**
 * Serves GET, LIST and WATCH of one resource from memory and writes through to the store behind.
 *
 * One reflector (list + watch) keeps the state, indexes and a window of recent events. Reads without resourceVersion
 * are as consistent as the store's own: they wait until the cache contains a store revision read after they arrived.
 * The cache never shows anything that the store did not have, and after a loss of its watch it shows nothing until it
 * knows everything again; watches that might have missed something are ended. Mirrors storage/cacher of
 * kube-apiserver 1.36.
 *
 *   store ─list+watch─▶ Reflector ─▶ WatchCache ─▶ CacheWatchers ─▶ CacheWatcher ─▶ sink
 *                                    state, window    within a        bounded buffer
 *                                         │           time budget
 *                                     CacheReader ─▶ GET, LIST (when ConsistentReads says so)
 */
export class Cacher implements StorageInterface {
  readonly #storage: StorageInterface;
  readonly #resource: string;
  readonly #type: string;
  readonly #spanAttributes: () => SpanAttributes;
  readonly #keyRoot: string;
  readonly #prefix: string;
  readonly #clock: TimerClock;
  readonly #cache: WatchCache;
  readonly #ready: ReadyState;
  readonly #reflector: Reflector;
  readonly #reads: ConsistentReads;
  readonly #reader: CacheReader;
  readonly #watchers: CacheWatchers;
  readonly #metrics: CacherMetrics;
  readonly #checker: ConsistencyChecker;
  readonly #onError: (error: unknown, context: CacherErrorContext) => void;
  readonly #onInconsistent: (error: StorageError) => void;
  readonly #onClose: () => void;
  readonly #early: EarlyWrites;
  /** Content that the last check found consistent. */
  #checkedContent = '';
  /** When progress was first requested since the watch last sent anything. */
  #askedAtMs: number | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: CacherOptions) {
    const { storage, config, keyRoot, clock = systemClock, random = systemRandomness.random } = options;
    this.#storage = storage;
    this.#resource = formatGroupResource(config.groupResource);
    this.#type = config.typeDescription ?? this.#resource;
    this.#spanAttributes = () => ({ resource: this.#resource });
    this.#keyRoot = keyRoot;
    this.#prefix = `${keyRoot}/`;
    this.#clock = clock;
    this.#early = new EarlyWrites(options.beganAt);
    this.#onError = options.onError ?? (() => undefined);
    this.#onInconsistent = options.onInconsistent ?? (() => undefined);
    this.#onClose = options.onClose ?? (() => undefined);
    const metrics = new CacherMetrics(config.groupResource, options.metrics);
    const cache = new WatchCache(config.indexers ?? {}, {
      ...options.window,
      onResize: (from, to) => metrics.resized(from, to),
    });
    this.#metrics = metrics;
    this.#cache = cache;
    this.#ready = new ReadyState(clock, () => {
      this.#reflector.start();
      if (options.consistencyChecks === true) this.#checker.start();
    });
    this.#reads = new ConsistentReads({
      clock,
      storage,
      metrics,
      sharedRevision: options.sharedRevision ?? new SharedRevision(() => storage.currentRevision()),
      onSilence: () => this.#reflector.restartWatch('the watch does not tell what the store has'),
    });
    this.#reader = new CacheReader({ cache, ready: this.#ready, reads: this.#reads, storage, metrics, keyRoot });
    this.#watchers = new CacheWatchers({
      cache,
      clock,
      random,
      metrics,
      prefix: this.#prefix,
      onIdle: () => this.#reflector.drained(),
      onBookmarks: () => {
        void this.#askForProgress();
      },
    });
    this.#reflector = new Reflector({
      storage,
      prefix: this.#prefix,
      clock,
      random,
      unreadableForMs: UNREADABLE_MS,
      target: {
        replace: (records, revision) => this.#replace(records, revision),
        apply: (record, deleted) => this.#apply(record, deleted),
        progress: (revision) => this.#advance(revision),
        lost: (error) => this.#lose(error),
        failed: (error, what, retryInMs) => this.#failed(error, what, retryInMs),
        ended: ({ kind }) => metrics.sourceEnded(kind),
      },
    });
    this.#checker = new ConsistencyChecker({
      cache: this,
      storage,
      prefix: this.#prefix,
      clock,
      random,
      due: () => this.#checkedContent !== this.#content(),
      onResult: (result) => this.#checked(result),
      onError: (error) => {
        metrics.consistencyChecked('error');
        this.#onError(error, { resource: this.#resource, what: 'consistencyCheck' });
      },
    });
    metrics.capacity(cache.window.capacity);
    if (options.start === 'eager') this.#ready.start();
  }

  // Writes: the store's, with what the cache knows as a hint.

  create(
    key: string,
    object: KubeObject,
    options?: { readonly ttlSeconds?: number; readonly signal?: AbortSignal },
  ): Promise<ObjectRecord> {
    return this.#noted(this.#storage.create(key, object, options));
  }

  delete(key: string, options: DeleteOptions = {}): Promise<ObjectRecord> {
    const cached = this.#hint(key, options.cached);
    return this.#noted(this.#storage.delete(key, cached === undefined ? options : { ...options, cached }));
  }

  guaranteedUpdate(key: string, update: UpdateFunction, options: GuaranteedUpdateOptions = {}): Promise<ObjectRecord> {
    const cached = this.#hint(key, options.cached);
    return this.#noted(
      this.#storage.guaranteedUpdate(key, update, cached === undefined ? options : { ...options, cached }),
    );
  }

  #noted(write: Promise<ObjectRecord>): Promise<ObjectRecord> {
    return this.#early.note(write, this.#ready.generation > 0);
  }

  #hint(key: string, given: ObjectRecord | undefined): ObjectRecord | undefined {
    return (this.#ready.isReady ? this.#cache.get(key) : undefined) ?? given;
  }

  // Reads

  get(key: string, options: GetOptions = {}): Promise<ObjectRecord | undefined> {
    // The most frequent read: it makes no closure, which only traced requests need.
    return activeSpan() === undefined
      ? this.#reader.get(key, options)
      : traced('cacher.Get', this.#spanAttributes, (span) => this.#reader.get(key, options, span));
  }

  getList(key: string, options: ListOptions = {}): Promise<ListResult> {
    return traced('cacher.GetList', this.#spanAttributes, async (span) => {
      const found = await this.#reader.getList(key, options, span);
      span?.event('Filtered items', { count: found.items.length });
      return found;
    });
  }

  count(key: string, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    return this.#reader.count(key, options);
  }

  sizeEstimateBytes(): number | undefined {
    return this.#ready.isReady ? this.#cache.bytes : undefined;
  }

  currentRevision(options?: { readonly signal?: AbortSignal }): Promise<number> {
    return this.#storage.currentRevision(options);
  }

  requestWatchProgress(): Promise<void> {
    return this.#storage.requestWatchProgress();
  }

  async supportsWatchProgress(): Promise<boolean> {
    return this.#reads.supported();
  }

  compactedRevision(): number {
    return this.#storage.compactedRevision?.() ?? 0;
  }

  watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    return traced('cacher.Watch', this.#spanAttributes, () => this.#watch(key, options, sink));
  }

  async #watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    const recursive = options.recursive ?? true;
    const prepared = prepareKey(this.#keyRoot, key, recursive);
    const { resourceVersion = '', sendInitialEvents } = options;
    let revision = parseBareResourceVersion(resourceVersion);
    if (!this.#ready.isReady && !(await this.#ready.firstFill())) throw this.#ready.error();
    const { generation } = this.#ready;
    // '' means the most recent state to a WatchList and to a watch that declines the initial state, any state to
    // others.
    if (resourceVersion === '' && sendInitialEvents !== undefined) {
      if (sendInitialEvents && !(await this.#reads.supported())) return this.#storage.watch(key, options, sink);
      revision = await this.#reads.currentRevision();
    }
    if (sendInitialEvents === true && revision > this.#cache.revision && !(await this.#reads.reached(revision)))
      throw this.#reads.tooLarge(resourceVersion === '' ? String(revision) : resourceVersion);
    throwIfAborted(options.signal);
    if (sendInitialEvents !== true && generation === 1 && this.#early.begins(revision, this.#cache))
      return this.#storage.watch(key, options, sink);
    // A watch that began before the loss of the state would have to be ended at once.
    if (this.#ready.generation !== generation || !this.#ready.isReady) throw this.#ready.error();
    const watcher = this.#watchers.open(
      { key: prepared, recursive, revision, fromState: sendInitialEvents ?? revision === 0 },
      options,
      sink,
    );
    // The caller gets its Watch first: the sink may be full after the first event.
    setImmediate(() => watcher.start());
    return watcher;
  }

  // What the reflector tells

  #replace(records: readonly ObjectRecord[], revision: number): void {
    this.#watchers.terminateAll({ kind: 'reinitialized' });
    this.#cache.replace(records, revision);
    this.#metrics.capacity(this.#cache.window.capacity);
    this.#metrics.initialized();
    this.#metrics.revision(revision);
    this.#askedAtMs = undefined;
    this.#ready.setReady();
    this.#reads.advance(revision);
  }

  #apply(record: ObjectRecord, deleted: boolean): boolean {
    this.#metrics.eventReceived();
    this.#cache.apply(record, deleted, { nowMs: this.#clock.now(), keepFrom: this.#watchers.position });
    this.#metrics.revision(record.revision);
    this.#askedAtMs = undefined;
    this.#reads.advance(record.revision);
    return this.#watchers.changed();
  }

  #advance(revision: number): void {
    this.#cache.progress(revision);
    this.#metrics.revision(revision);
    this.#askedAtMs = undefined;
    this.#reads.advance(revision);
  }

  /** What readers are told is why it cannot be read again. */
  #lose(error: unknown): void {
    this.#ready.setPending();
    this.#onError(error, { resource: this.#resource, what: 'reinitialize' });
    this.#watchers.terminateAll({ kind: 'reinitialized' });
  }

  #failed(error: unknown, what: 'list' | 'watch', retryInMs: number): void {
    if (!this.#ready.isReady && what === 'list')
      this.#ready.setPending(
        new StorageError('NotReady', `failed to list ${this.#type}: ${messageOf(error)}`, {
          retryAfterSeconds: 1,
          cause: error,
        }),
      );
    this.#onError(error, { resource: this.#resource, what, retryInMs });
  }

  /**
   * Requests progress, so that the next bookmarks carry a new revision even if nothing changes, and a watch that no
   * longer answers is noticed.
   */
  async #askForProgress(): Promise<void> {
    if (!(await this.#reads.supported())) return;
    const nowMs = this.#clock.now();
    if (this.#askedAtMs !== undefined && nowMs - this.#askedAtMs >= SILENCE_MS) {
      this.#reflector.restartWatch('the watch does not answer');
      this.#askedAtMs = undefined;
    }
    // The next call after SILENCE_MS sees whether it was answered. A request that fails is one without an answer.
    this.#askedAtMs ??= nowMs;
    await this.#storage.requestWatchProgress().catch(() => undefined);
  }

  // Looking after it

  async readinessCheck(): Promise<void> {
    const { status } = this.#ready;
    switch (status) {
      case 'ready':
        return;
      // Nobody has asked for the resource yet: it is as ready as the store.
      case 'idle':
        return this.#storage.readinessCheck();
      case 'pending':
      case 'stopped':
        throw this.#ready.error();
      default:
        status satisfies never;
    }
  }

  /** Fills the cache if nobody has yet; resolves true when it can be read, false after `timeoutMs`. */
  waitReady(timeoutMs: number): Promise<boolean> {
    this.#ready.start();
    return this.#ready.wait(timeoutMs);
  }

  /**
   * Compares the cache with the store, now. A cache that differs must not be read: its watches end, and it is filled
   * anew.
   *
   * @throws StorageError what cache or store answered, when the check could not be made
   */
  async checkConsistency(): Promise<ConsistencyResult> {
    const result = await this.#checker.check();
    this.#checked(result);
    return result;
  }

  #checked(result: ConsistencyResult): void {
    this.#metrics.consistencyChecked(result.kind === 'consistent' ? 'success' : 'failure');
    if (result.kind === 'consistent') {
      this.#checkedContent = this.#content();
      return;
    }
    const { cached, stored } = result.difference;
    const error = new StorageError(
      'Internal',
      `cache and store differ at revision ${result.resourceVersion}: cached ${JSON.stringify(cached)}, stored ` +
        `${JSON.stringify(stored)}`,
    );
    this.#onError(error, { resource: this.#resource, what: 'consistencyCheck' });
    this.#onInconsistent(error);
    this.#reflector.reinitialize(error);
  }

  /** Changes whenever the content may have. */
  #content(): string {
    return `${this.#ready.generation}/${this.#cache.window.end}`;
  }

  /** How much is in it; costs nothing. */
  extent(): CacheExtent {
    const { size: objects, window } = this.#cache;
    return { objects, events: window.size, capacity: window.capacity };
  }

  /** The state of the cache, for a debug endpoint. */
  describe(): CacherDescription {
    const { window } = this.#cache;
    const { dispatchBacklog, paused, ...watchers } = this.#watchers.describe();
    return {
      resource: this.#resource,
      prefix: this.#prefix,
      status: this.#ready.status,
      generation: this.#ready.generation,
      lastError: this.#ready.lastError instanceof Error ? this.#ready.lastError.message : undefined,
      connected: this.#reflector.connected,
      objects: this.#cache.size,
      revision: this.#cache.revision,
      listRevision: this.#cache.listRevision,
      window: { events: window.size, capacity: window.capacity, floor: this.#cache.floor, dispatchBacklog, paused },
      snapshots: this.#cache.snapshotCount,
      indexes: this.#cache.indexes.map(({ name, size }) => ({ name, values: size })),
      waitingReads: this.#reads.waiting,
      revisionReads: this.#reads.revisionReads,
      watchers,
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#onClose();
    this.#ready.stop();
    this.#watchers.terminateAll({ kind: 'closed' });
    this.#reads.stop();
    await this.#reflector.stop();
    await this.#checker.stop();
    await this.#storage.close();
  }
}
