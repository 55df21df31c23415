import type { KubeObject } from '@kubechain/apimachinery';
import type { Registry } from 'prom-client';
import type { StorageResourceConfig } from '../factory/rest-options.ts';
import { StorageError, keyError } from '../storage/errors.ts';
import type { DeleteOptions, GetOptions, GuaranteedUpdateOptions, ListOptions, ListResult, ObjectRecord, StorageInterface, UpdateFunction, Watch, WatchOptions, WatchSink } from '../storage/interfaces.ts';
import { parseResourceVersion } from '../storage/resource-version.ts';
import { prepareKey } from '../storage/storage-key.ts';
import { BookmarkSchedule } from './bookmark-schedule.ts';
import { CacheWatcher } from './cache-watcher.ts';
import type { WatchEndReason, WatcherHost } from './cache-watcher.ts';
import { CacherMetrics } from './cacher-metrics.ts';
import type { CacherDescription } from './cacher-description.ts';
import { ConsistencyChecker } from './consistency-checker.ts';
import type { ConsistencyResult } from './consistency-checker.ts';
import { Dispatcher } from './dispatcher.ts';
import type { EventWindow, EventWindowOptions } from './event-window.ts';
import { Freshness } from './freshness.ts';
import { ListedState, TreeState } from './initial-state.ts';
import type { InitialState } from './initial-state.ts';
import { listPage } from './list-page.ts';
import type { ListSource } from './list-page.ts';
import { planList } from './list-plan.ts';
import type { ListPlan } from './list-plan.ts';
import { ConditionalProgressRequester } from './progress-requester.ts';
import { ReadyState } from './ready-state.ts';
import { prefixEnd } from './record-tree.ts';
import { Reflector } from './reflector.ts';
import { SharedRevision } from './shared-revision.ts';
import { systemClock } from './timer-clock.ts';
import type { TimerClock } from './timer-clock.ts';
import { WatchCache } from './watch-cache.ts';
import type { IndexMatch } from './watch-cache.ts';
import { WatcherIndex } from './watcher-index.ts';

export interface CacherOptions {
  /** The store behind; the cacher closes it. */
  readonly storage: StorageInterface;
  readonly config: StorageResourceConfig;
  /** Full key root, `--etcd-prefix` + resource prefix, no trailing slash. */
  readonly keyRoot: string;
  /** Default: the machine's. */
  readonly clock?: TimerClock;
  /** A number in [0, 1), for jitter. Default: Math.random. */
  readonly random?: () => number;
  /** Where metrics are registered; caches that share a registry share the metrics. */
  readonly metrics?: Registry;
  /** Revision reads, when caches of one store share them. Default: an own one over `storage`. */
  readonly sharedRevision?: SharedRevision;
  /** `lazy` (default): the resource is listed when somebody first wants to read it; `eager`: at once. */
  readonly start?: 'lazy' | 'eager';
  readonly window?: EventWindowOptions;
  /** Told about every failure that the cacher recovers from by itself. */
  readonly onError?: (error: unknown, context: CacherErrorContext) => void;
  /** Compares the cache with its store every five minutes; a difference is reported to `onError` and everything is read again. Default false. */
  readonly consistencyChecks?: boolean;
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

/** A request that meets a cache which has never been filled waits this long for it, then it is told to come again. */
const FIRST_SYNC_TIMEOUT_MS = 3000;
/** Events that may wait for paused watchers before the store's watch is asked to wait as well (`incoming` of cacher.go). */
const MAX_BACKLOG = 100;
/** Bounds of a watcher's buffer, which should hold about a second of events (suggestedWatchChannelSize, 1.36, for both of its channels). */
const MIN_WATCHER_BUFFER = 100;
const MAX_WATCHER_BUFFER = 1000;

/**
 * Serves GET, LIST and WATCH of one resource from memory and writes through to the store behind.
 *
 * One reflector (list + watch) keeps the state, indexes and a window of recent events. Reads without resourceVersion are
 * as consistent as the store's own: they wait until the cache contains a store revision read after they arrived. The
 * cache never shows anything that the store did not have, and after a loss of its watch it shows nothing until it knows
 * everything again; watches that might have missed something are ended. Mirrors storage/cacher of kube-apiserver 1.36.
 *
 *   store ─list+watch─▶ Reflector ─▶ WatchCache ─▶ Dispatcher ─▶ WatcherIndex ─▶ CacheWatcher ─▶ sink
 *                                    state, window    waits for slow ones,         bounded buffer
 *                                                     within a time budget
 */
export class Cacher implements StorageInterface {
  readonly #storage: StorageInterface;
  readonly #resource: string;
  readonly #keyRoot: string;
  readonly #prefix: string;
  readonly #clock: TimerClock;
  readonly #cache: WatchCache;
  readonly #ready: ReadyState;
  readonly #reflector: Reflector;
  readonly #progress: ConditionalProgressRequester;
  readonly #freshness: Freshness;
  readonly #sharedRevision: SharedRevision;
  readonly #watchers: WatcherIndex;
  readonly #dispatcher: Dispatcher;
  readonly #bookmarks: BookmarkSchedule;
  readonly #metrics: CacherMetrics;
  readonly #host: WatcherHost;
  readonly #onError: (error: unknown, context: CacherErrorContext) => void;
  readonly #onClose: () => void;
  readonly #checker: ConsistencyChecker;
  readonly #checks: boolean;
  #checkedAt = '';
  /** Watchers that may still be reading from the window. */
  readonly #catchingUp = new Set<CacheWatcher>();
  /** The wait of all consistent reads whose revision read is the same. */
  #consistent: { readonly revision: Promise<number>; readonly reached: Promise<boolean> } | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: CacherOptions) {
    const { storage, config, keyRoot, clock = systemClock, random = Math.random } = options;
    this.#storage = storage;
    const { group, resource } = config.groupResource;
    this.#resource = group === '' ? resource : `${resource}.${group}`;
    this.#keyRoot = keyRoot;
    this.#prefix = `${keyRoot}/`;
    this.#clock = clock;
    this.#onError = options.onError ?? (() => undefined);
    this.#metrics = new CacherMetrics(config.groupResource, options.metrics);
    this.#cache = new WatchCache(config.indexers ?? {}, { ...options.window, onResize: (from, to) => this.#metrics.resized(from, to) });
    this.#metrics.capacity(this.#cache.window.capacity);
    this.#ready = new ReadyState(clock);
    this.#progress = new ConditionalProgressRequester(clock, () => storage.requestWatchProgress());
    this.#freshness = new Freshness(clock, this.#progress);
    this.#sharedRevision = options.sharedRevision ?? new SharedRevision(() => storage.currentRevision());
    this.#watchers = new WatcherIndex(this.#prefix);
    this.#dispatcher = new Dispatcher({
      clock, window: this.#cache.window,
      deliver: (event, position, full) => {
        this.#watchers.dispatch(event, position, this.#cache.indexes, full);
        this.#metrics.eventDispatched();
      },
      onIdle: () => this.#reflector.drained(),
    });
    this.#bookmarks = new BookmarkSchedule({ clock, random, send: (watchers) => this.#sendBookmarks(watchers) });
    this.#reflector = new Reflector({
      storage, prefix: this.#prefix, clock, random,
      target: {
        replace: (records, revision) => this.#replace(records, revision),
        apply: (record, deleted) => this.#apply(record, deleted),
        progress: (revision) => this.#advance(revision),
        lost: (error) => this.#lose(error),
        failed: (error, what, retryInMs) => this.#failed(error, what, retryInMs),
      },
    });
    this.#onClose = options.onClose ?? (() => undefined);
    this.#checks = options.consistencyChecks ?? false;
    this.#checker = new ConsistencyChecker({
      cache: this, storage, prefix: this.#prefix, clock, random,
      due: () => this.#checkedAt !== this.#changes(),
      onResult: (result) => this.#checked(result),
      onError: (error) => {
        this.#metrics.consistencyChecked('error');
        this.#onError(error, { resource: this.#resource, what: 'consistencyCheck' });
      },
    });
    this.#host = this.#makeHost(this.#cache.window);
    if (options.start === 'eager') this.#start();
  }

  // Writes: the store's, with what the cache knows as a hint.

  create(key: string, object: KubeObject, options?: { readonly ttlSeconds?: number; readonly signal?: AbortSignal }): Promise<ObjectRecord> {
    return this.#storage.create(key, object, options);
  }

  delete(key: string, options: DeleteOptions = {}): Promise<ObjectRecord> {
    const cached = this.#hint(key, options.cached);
    return this.#storage.delete(key, cached === undefined ? options : { ...options, cached });
  }

  guaranteedUpdate(key: string, update: UpdateFunction, options: GuaranteedUpdateOptions = {}): Promise<ObjectRecord> {
    const cached = this.#hint(key, options.cached);
    return this.#storage.guaranteedUpdate(key, update, cached === undefined ? options : { ...options, cached });
  }

  // Reads

  async get(key: string, options: GetOptions = {}): Promise<ObjectRecord | undefined> {
    const prepared = prepareKey(this.#keyRoot, key, false);
    const { resourceVersion = '' } = options;
    const revision = parseResourceVersion(resourceVersion);
    if (!this.#ready.isReady) {
      this.#start();
      return this.#storage.get(key, options);
    }
    if (resourceVersion === '') {
      if (!(await this.#waitConsistent())) return this.#storage.get(key, options);
    } else if (revision > this.#cache.revision && !(await this.#waitFresh(revision))) {
      throw this.#freshness.tooLarge(resourceVersion);
    }
    throwIfAborted(options.signal);
    // The state may have been lost during the wait.
    if (!this.#ready.isReady) return this.#storage.get(key, options);
    const record = this.#cache.get(prepared);
    if (record === undefined && options.ignoreNotFound !== true) throw keyError('KeyNotFound', prepared);
    return record;
  }

  async getList(key: string, options: ListOptions = {}): Promise<ListResult> {
    const recursive = options.recursive ?? true;
    const prepared = prepareKey(this.#keyRoot, key, recursive);
    const plan = planList(prepared, options);
    if (plan.kind === 'exact' && !recursive) return this.#storage.getList(key, options);
    if (!this.#ready.isReady && !(await this.#becameReady())) {
      if (plainPage(options)) return this.#storage.getList(key, options);
      throw this.#ready.error();
    }
    if (plan.kind === 'latest') return this.#listLatest(prepared, plan, options);
    if (plan.revision > this.#cache.revision && !(await this.#waitFresh(plan.revision))) throw this.#freshness.tooLarge(options.resourceVersion ?? String(plan.revision));
    throwIfAborted(options.signal);
    if (!this.#ready.isReady) throw this.#ready.error();
    return this.#listFromCache(prepared, plan, options) ?? this.#storage.getList(key, options);
  }

  async #listLatest(key: string, plan: ListPlan, options: ListOptions): Promise<ListResult> {
    let fallback = false;
    let success = false;
    try {
      fallback = !(await this.#waitConsistent()) || !this.#ready.isReady;
      throwIfAborted(options.signal);
      const result = (fallback ? undefined : this.#listFromCache(key, plan, options)) ?? await this.#storage.getList(key, options);
      success = true;
      return result;
    } finally {
      this.#metrics.consistentRead(success, fallback);
    }
  }

  /** Undefined when the history does not reach back to an exact revision. */
  #listFromCache(key: string, plan: ListPlan, options: ListOptions): ListResult | undefined {
    if (options.recursive === false) {
      const record = this.#cache.get(key);
      const items = record !== undefined && (options.predicate?.matches(record.attributes) ?? true) ? [record] : [];
      this.#metrics.listed('', record === undefined ? 0 : 1, items.length);
      return { items, resourceVersion: String(this.#cache.revision), continue: '' };
    }
    let source: ListSource;
    let indexName = '';
    if (plan.kind === 'exact') {
      const compacted = this.#storage.compactedRevision?.() ?? 0;
      const tree = plan.revision < compacted ? undefined : this.#cache.snapshotAt(plan.revision);
      if (tree === undefined) return undefined;
      source = { tree, revision: plan.revision, candidates: undefined };
    } else {
      const match = plan.startKey === key ? this.#cache.indexFor(options.predicate) : undefined;
      if (match !== undefined) indexName = `f:${match.index.name}`;
      source = { tree: this.#cache.tree, revision: this.#cache.revision, candidates: match?.index.list(match.value, key) };
    }
    // resourceVersion=0 has always ignored the limit.
    const limit = options.limit !== undefined && options.limit > 0 && options.resourceVersion !== '0' ? options.limit : Infinity;
    const { result, fetched } = listPage(source, { prefix: key, startKey: plan.startKey, limit }, options);
    // Its next pages will be read at this revision; remembering the state now is free, undoing events later is not.
    if (result.continue !== '' && plan.kind !== 'exact') this.#cache.snapshotAt(source.revision);
    this.#metrics.listed(indexName, fetched, result.items.length);
    return result;
  }

  async count(key: string, options?: { readonly signal?: AbortSignal }): Promise<number> {
    if (!this.#ready.isReady) return this.#storage.count(key, options);
    const prefix = prepareKey(this.#keyRoot, key, true);
    return this.#cache.tree.count(prefix, prefixEnd(prefix));
  }

  // Watch

  async watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    const recursive = options.recursive ?? true;
    const prepared = prepareKey(this.#keyRoot, key, recursive);
    const { resourceVersion = '', sendInitialEvents } = options;
    const requested = parseResourceVersion(resourceVersion);
    if (!this.#ready.isReady && !(await this.#becameReady())) throw this.#ready.error();
    const { generation } = this.#ready;
    // '' means the most recent state to a WatchList and to a watch that declines the initial state, any state to others.
    const required = resourceVersion === '' && sendInitialEvents !== undefined ? await this.#sharedRevision.current() : requested;
    if (sendInitialEvents === true && required > this.#cache.revision && !(await this.#waitFresh(required))) throw this.#freshness.tooLarge(String(required));
    throwIfAborted(options.signal);
    // A watch that began before the loss of the state would have to be ended at once.
    if (this.#ready.generation !== generation || !this.#ready.isReady) throw this.#ready.error();
    const watcher = this.#addWatcher({ key: prepared, recursive, required, fromState: sendInitialEvents ?? required === 0 }, options, sink);
    // The caller gets its Watch first: the sink may be full after the first event.
    setImmediate(() => watcher.start());
    return watcher;
  }

  /** Registers a watcher at the present moment. @throws StorageError `ResourceExpired` */
  #addWatcher(start: { key: string; recursive: boolean; required: number; fromState: boolean }, options: WatchOptions, sink: WatchSink): CacheWatcher {
    const cache = this.#cache;
    const { key, recursive, required, fromState } = start;
    const { predicate } = options;
    const index = recursive ? cache.indexFor(predicate) : undefined;
    let startRevision = required === 0 ? cache.revision : required;
    let position = cache.window.end;
    if (fromState) startRevision = cache.revision;
    else {
      const { floor } = cache;
      if (startRevision < floor) throw new StorageError('ResourceExpired', `too old resource version: ${startRevision} (${floor})`, { key });
      position = cache.window.positionAfter(startRevision);
    }
    const watcher = new CacheWatcher(this.#host, this.#watchers.group({ key, recursive, predicate }, index), sink, {
      startRevision, position,
      initial: fromState ? this.#initialState(key, recursive, index) : undefined,
      initialEventsEnd: options.sendInitialEvents === true && options.allowWatchBookmarks === true,
      allowBookmarks: options.allowWatchBookmarks === true,
      deadlineMs: options.deadlineMs,
      bufferSize: this.#watcherBufferSize(index !== undefined),
    });
    this.#watchers.add(watcher);
    this.#catchingUp.add(watcher);
    if (watcher.allowBookmarks) this.#bookmarks.add(watcher);
    if (options.signal !== undefined) watcher.stopOn(options.signal);
    return watcher;
  }

  #initialState(key: string, recursive: boolean, index: IndexMatch | undefined): InitialState {
    if (index !== undefined) return new ListedState(index.index.list(index.value, key));
    if (recursive) return new TreeState(this.#cache.snapshot(), key, prefixEnd(key));
    const record = this.#cache.get(key);
    return new ListedState(record === undefined ? [] : [record]);
  }

  #watcherBufferSize(indexed: boolean): number {
    const { window } = this.#cache;
    const perSecond = Math.ceil(window.capacity / (window.freshMs / 1000));
    return indexed ? MIN_WATCHER_BUFFER : Math.min(MAX_WATCHER_BUFFER, Math.max(MIN_WATCHER_BUFFER, perSecond));
  }

  #makeHost(window: EventWindow): WatcherHost {
    const dispatcher = this.#dispatcher;
    return {
      window,
      get position() { return dispatcher.position; },
      roomAgain: (watcher) => dispatcher.roomAgain(watcher),
      ended: (watcher, reason) => this.#watcherEnded(watcher, reason),
      countInitial: (events) => this.#metrics.initialEvents(events),
    };
  }

  #watcherEnded(watcher: CacheWatcher, reason: WatchEndReason): void {
    this.#watchers.delete(watcher);
    this.#bookmarks.delete(watcher);
    this.#catchingUp.delete(watcher);
    if (reason === 'slow') this.#metrics.watcherTerminated();
  }

  #sendBookmarks(watchers: Iterable<CacheWatcher>): void {
    if (!this.#ready.isReady) return;
    const { window } = this.#cache;
    const { position } = this.#dispatcher;
    // What waits for dispatch is not known to the watchers yet.
    const revision = position === window.end ? this.#cache.revision : window.at(position).revision - 1;
    for (const watcher of watchers) watcher.bookmark(revision);
    // So that the next bookmark says something new even if nothing changes.
    this.#storage.requestWatchProgress().catch(() => undefined);
  }

  // What the reflector tells

  #replace(records: readonly ObjectRecord[], revision: number): void {
    this.#terminateWatchers('reinitialized');
    this.#cache.replace(records, revision);
    this.#dispatcher.reset();
    this.#metrics.capacity(this.#cache.window.capacity);
    this.#metrics.initialized();
    this.#metrics.revision(revision);
    this.#ready.setReady();
    this.#freshness.advance(revision);
  }

  #apply(record: ObjectRecord, deleted: boolean): boolean {
    this.#metrics.eventReceived();
    this.#cache.apply(record, deleted, { nowMs: this.#clock.now(), keepFrom: this.#dispatcher.position });
    this.#metrics.revision(record.revision);
    this.#freshness.advance(record.revision);
    if (this.#catchingUp.size > 0) this.#closeOvertaken();
    this.#dispatcher.run();
    return this.#dispatcher.backlog < MAX_BACKLOG;
  }

  /** A watcher that is behind the window cannot go on, and would keep an old state alive while it waits for its client. */
  #closeOvertaken(): void {
    const { start } = this.#cache.window;
    for (const watcher of this.#catchingUp) {
      if (!watcher.isCatchingUp) this.#catchingUp.delete(watcher);
      else if (watcher.position < start) watcher.terminate('slow');
    }
  }

  #advance(revision: number): void {
    this.#cache.progress(revision);
    this.#metrics.revision(revision);
    this.#freshness.advance(revision);
  }

  #lose(error: unknown): void {
    this.#ready.setPending(error);
    this.#onError(error, { resource: this.#resource, what: 'reinitialize' });
    this.#terminateWatchers('reinitialized');
    this.#dispatcher.reset();
  }

  #failed(error: unknown, what: 'list' | 'watch', retryInMs: number): void {
    if (!this.#ready.isReady) this.#ready.setPending(error);
    this.#onError(error, { resource: this.#resource, what, retryInMs });
  }

  #terminateWatchers(reason: WatchEndReason): void {
    for (const watcher of this.#watchers.all()) watcher.terminate(reason);
  }

  // Waiting

  #start(): void {
    if (this.#ready.status !== 'idle') return;
    this.#ready.setPending();
    this.#reflector.start();
    if (this.#checks) this.#checker.start();
  }

  /** Waits for the first fill; a cache that has lost its state does not let anybody wait, nor does one whose fill has failed. */
  async #becameReady(): Promise<boolean> {
    this.#start();
    if (this.#ready.generation > 0 || this.#ready.lastError !== undefined) return false;
    return this.#ready.wait(FIRST_SYNC_TIMEOUT_MS);
  }

  /** True as soon as the cache contains all that was in the store when this was called; false when it does not get there in time. */
  async #waitConsistent(): Promise<boolean> {
    if (this.#freshness.stalled) {
      this.#progress.nudge();
      return false;
    }
    const revision = this.#sharedRevision.current();
    if (this.#consistent?.revision !== revision) this.#consistent = { revision, reached: this.#reaches(revision) };
    return this.#consistent.reached;
  }

  async #reaches(revision: Promise<number>): Promise<boolean> {
    return this.#waitFresh(await revision);
  }

  async #waitFresh(revision: number): Promise<boolean> {
    if (revision <= this.#cache.revision) {
      this.#metrics.readWaited(0);
      return true;
    }
    const startMs = this.#clock.now();
    const fresh = await this.#freshness.reached(revision);
    this.#metrics.readWaited((this.#clock.now() - startMs) / 1000);
    return fresh;
  }

  #hint(key: string, given: ObjectRecord | undefined): ObjectRecord | undefined {
    return (this.#ready.isReady ? this.#cache.get(key) : undefined) ?? given;
  }

  // The rest

  currentRevision(options?: { readonly signal?: AbortSignal }): Promise<number> { return this.#storage.currentRevision(options); }

  requestWatchProgress(): Promise<void> { return this.#storage.requestWatchProgress(); }

  async readinessCheck(): Promise<void> {
    switch (this.#ready.status) {
      case 'ready': return;
      // Nobody has asked for the resource yet: it is as ready as the store.
      case 'idle': return this.#storage.readinessCheck();
      case 'pending':
      case 'stopped': throw this.#ready.error();
      default: this.#ready.status satisfies never;
    }
  }

  /** Fills the cache if nobody has yet; resolves true when it can be read, false after `timeoutMs`. */
  waitReady(timeoutMs: number): Promise<boolean> {
    this.#start();
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

  /** Changes whenever the content may have. */
  #changes(): string { return `${this.#ready.generation}/${this.#cache.window.end}`; }

  #checked(result: ConsistencyResult): void {
    this.#metrics.consistencyChecked(result.kind === 'consistent' ? 'success' : 'failure');
    if (result.kind === 'consistent') {
      this.#checkedAt = this.#changes();
      return;
    }
    const { cached, stored } = result.difference;
    const error = new StorageError('Internal', `cache and store differ at revision ${result.resourceVersion}: cached ${JSON.stringify(cached)}, stored ${JSON.stringify(stored)}`);
    this.#onError(error, { resource: this.#resource, what: 'consistencyCheck' });
    this.#reflector.reinitialize(error);
  }

  /** The state of the cache, for a debug endpoint. */
  describe(): CacherDescription {
    const { window } = this.#cache;
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
      window: { events: window.size, capacity: window.capacity, floor: this.#cache.floor, dispatchBacklog: this.#dispatcher.backlog, paused: this.#dispatcher.paused },
      snapshots: this.#cache.snapshotCount,
      indexes: this.#cache.indexes.map(({ name, size }) => ({ name, values: size })),
      waitingReads: this.#freshness.waiting,
      revisionReads: this.#sharedRevision.reads,
      watchers: {
        total: this.#watchers.size, withBookmarks: this.#bookmarks.size, groups: this.#watchers.describe(),
        slowest: this.#watchers.all().map(({ phase, buffered, position }) => ({ phase, buffered, position })).sort((a, b) => b.buffered - a.buffered).slice(0, 10),
      },
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#onClose();
    this.#ready.stop();
    this.#terminateWatchers('closed');
    this.#dispatcher.reset();
    this.#freshness.stop();
    this.#progress.stop();
    await this.#reflector.stop();
    await this.#checker.stop();
    await this.#storage.close();
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StorageError('Aborted', 'the request was aborted', { cause: signal.reason });
}

/** Upstream lets only such lists through to the store while a cache is not ready: they cost the store little (delegator.go, 1.36). */
function plainPage(options: ListOptions): boolean {
  return (options.limit ?? 0) > 0 && (options.predicate?.empty ?? true);
}
