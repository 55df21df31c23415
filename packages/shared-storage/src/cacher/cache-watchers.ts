import type { WatchOptions, WatchSink } from '../storage/interfaces.ts';
import type { WatchEnd } from '../storage/watch-end.ts';
import { StorageError } from '../storage/errors.ts';
import { BookmarkSchedule } from './bookmark-schedule.ts';
import { CacheWatcher } from './cache-watcher.ts';
import type { WatcherHost } from './cache-watcher.ts';
import type { CacherDescription } from './cacher-description.ts';
import type { CacherMetrics } from './cacher-metrics.ts';
import { Dispatcher } from './dispatcher.ts';
import type { EventWindow } from './event-window.ts';
import { ListedState, TreeState } from './initial-state.ts';
import type { InitialState } from './initial-state.ts';
import { prefixRangeEnd } from '../etcd-client/prefix-range.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import type { IndexMatch, WatchCache } from './watch-cache.ts';
import { WatcherIndex } from './watcher-index.ts';

/**
 * Bounds of a watcher's buffer, which should hold about a second of events (suggestedWatchChannelSize, 1.36, for both
 * of its channels).
 */
const MIN_BUFFER = 100;
const MAX_BUFFER = 1000;
/**
 * Events that may wait for paused watchers before the store's watch is asked to wait as well (`incoming` of cacher.go,
 * 1.36).
 */
const MAX_BACKLOG = 100;

export interface CacheWatchersOptions {
  readonly cache: WatchCache;
  readonly clock: TimerClock;
  readonly random: () => number;
  readonly metrics: CacherMetrics;
  /** Key prefix of the resource, ending in '/'. */
  readonly prefix: string;
  /** All events have reached the watchers or their buffers: the source may go on. */
  readonly onIdle: () => void;
  /** Bookmarks have been sent: a good time to ask the store for its revision, for the next ones. */
  readonly onBookmarks: () => void;
}

/** Where a watch begins. */
export interface WatchStart {
  readonly key: string;
  readonly recursive: boolean;
  /** Events after this revision are wanted; 0 = from now on. */
  readonly revision: number;
  /** The present state comes first. */
  readonly fromState: boolean;
}

/** The watchers of a cache: hands events on to them, sends bookmarks, closes those that cannot keep up. */
export class CacheWatchers implements WatcherHost {
  readonly window: EventWindow;
  readonly #cache: WatchCache;
  readonly #metrics: CacherMetrics;
  readonly #index: WatcherIndex;
  readonly #dispatcher: Dispatcher;
  readonly #bookmarks: BookmarkSchedule;
  readonly #onBookmarks: () => void;
  /** Those that may still be reading from the window. */
  readonly #catchingUp = new Set<CacheWatcher>();

  constructor(options: CacheWatchersOptions) {
    const { cache, clock, random, metrics, prefix } = options;
    this.#cache = cache;
    this.window = cache.window;
    this.#metrics = metrics;
    this.#onBookmarks = options.onBookmarks;
    this.#index = new WatcherIndex(prefix);
    this.#dispatcher = new Dispatcher({
      clock,
      window: cache.window,
      onIdle: options.onIdle,
      deliver: (event, position, full) => {
        this.#index.dispatch(event, position, cache.indexes, full);
        metrics.eventDispatched();
      },
    });
    this.#bookmarks = new BookmarkSchedule({ clock, random, send: (watchers) => this.#sendBookmarks(watchers) });
  }

  /** Window position of the next event to be dispatched. */
  get position(): number {
    return this.#dispatcher.position;
  }

  /**
   * Adds a watcher, as of now; it sends nothing before `start` is called.
   *
   * @throws StorageError `ResourceExpired`
   */
  open(start: WatchStart, options: WatchOptions, sink: WatchSink): CacheWatcher {
    const { key, recursive, fromState } = start;
    const { predicate } = options;
    const cache = this.#cache;
    const index = recursive ? cache.indexFor(predicate) : undefined;
    const startRevision = fromState || start.revision === 0 ? cache.revision : start.revision;
    if (startRevision < cache.floor)
      throw new StorageError('ResourceExpired', `too old resource version: ${startRevision} (${cache.floor})`, { key });
    const watcher = new CacheWatcher(this, this.#index.group({ key, recursive, predicate }, index), sink, {
      startRevision,
      position: fromState ? cache.window.end : cache.window.positionAfter(startRevision),
      initial: fromState ? this.#initialState(start, index) : undefined,
      initialEventsEnd: options.sendInitialEvents === true && options.allowWatchBookmarks === true,
      allowBookmarks: options.allowWatchBookmarks === true,
      deadlineMs: options.deadlineMs,
      bufferSize: this.#bufferSize(index !== undefined),
    });
    this.#index.add(watcher);
    this.#catchingUp.add(watcher);
    if (watcher.allowBookmarks) this.#bookmarks.add(watcher);
    if (options.signal !== undefined) watcher.stopOn(options.signal);
    return watcher;
  }

  /** The window has a new event. False when the source should wait for `onIdle`. */
  changed(): boolean {
    if (this.#catchingUp.size > 0) this.#closeOvertaken();
    this.#dispatcher.run();
    return this.#dispatcher.backlog < MAX_BACKLOG;
  }

  /** Ends all watches and drops their undelivered events: the cache is about to be filled again, or to close. */
  terminateAll(reason: WatchEnd): void {
    for (const watcher of this.#index.all()) watcher.terminate(reason);
    this.#dispatcher.reset();
  }

  describe(): CacherDescription['watchers'] & { readonly dispatchBacklog: number; readonly paused: boolean } {
    return {
      total: this.#index.size,
      withBookmarks: this.#bookmarks.size,
      groups: this.#index.describe(),
      slowest: this.#index
        .all()
        .map(({ phase, buffered, position }) => ({ phase, buffered, position }))
        .sort((a, b) => b.buffered - a.buffered)
        .slice(0, 10),
      dispatchBacklog: this.#dispatcher.backlog,
      paused: this.#dispatcher.paused,
    };
  }

  // What the watchers tell

  roomAgain(watcher: CacheWatcher): void {
    this.#dispatcher.roomAgain(watcher);
  }

  ended(watcher: CacheWatcher, reason: WatchEnd): void {
    this.#index.delete(watcher);
    this.#bookmarks.delete(watcher);
    this.#catchingUp.delete(watcher);
    if (reason.kind === 'slow' || reason.kind === 'overtaken') this.#metrics.watcherTerminated();
  }

  countInitial(events: number): void {
    this.#metrics.initialEvents(events);
  }

  #initialState({ key, recursive }: WatchStart, index: IndexMatch | undefined): InitialState {
    if (index !== undefined) return new ListedState(index.index.list(index.value, key));
    if (recursive) return new TreeState(this.#cache.snapshot(), key, prefixRangeEnd(key));
    const record = this.#cache.get(key);
    return new ListedState(record === undefined ? [] : [record]);
  }

  #bufferSize(indexed: boolean): number {
    const perSecond = Math.ceil(this.window.capacity / (this.window.freshMs / 1000));
    return indexed ? MIN_BUFFER : Math.min(MAX_BUFFER, Math.max(MIN_BUFFER, perSecond));
  }

  /**
   * A watcher that is behind the window cannot go on, and would keep an old state alive while it waits for its client.
   */
  #closeOvertaken(): void {
    for (const watcher of this.#catchingUp) {
      if (!watcher.isCatchingUp) this.#catchingUp.delete(watcher);
      else if (watcher.position < this.window.start) watcher.terminate({ kind: 'overtaken' });
    }
  }

  #sendBookmarks(watchers: Iterable<CacheWatcher>): void {
    // What waits for dispatch is not known to the watchers yet.
    const revision =
      this.position === this.window.end ? this.#cache.revision : this.window.at(this.position).revision - 1;
    for (const watcher of watchers) watcher.bookmark(revision);
    this.#onBookmarks();
  }
}
