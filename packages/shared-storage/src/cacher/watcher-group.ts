import { selects } from '../storage/selects.ts';
import type { ObjectRecord, SelectionPredicate } from '../storage/interfaces.ts';
import type { CacheEvent } from './cache-event.ts';
import type { SharedWatchEvent } from './shared-watch-event.ts';

/** What part of a resource a watch is about. */
export interface WatchScope {
  /** A key, or a prefix ending in '/'. */
  readonly key: string;
  readonly recursive: boolean;
  readonly predicate: SelectionPredicate | undefined;
}

/**
 * Watchers that want exactly the same: an event is held against their selection once, and all of them get the result.
 */
export class WatcherGroup<Watcher> {
  readonly watchers = new Set<Watcher>();
  /** Where the group hangs in the WatcherIndex. */
  readonly slot: string;
  readonly id: string;
  readonly #scope: WatchScope;
  readonly #predicate: SelectionPredicate | undefined;
  #lastEvent: CacheEvent | undefined;
  #lastView: SharedWatchEvent | undefined;

  constructor(slot: string, id: string, scope: WatchScope) {
    this.slot = slot;
    this.id = id;
    this.#scope = scope;
    this.#predicate = scope.predicate?.empty === false ? scope.predicate : undefined;
  }

  /** Whether the selection has this object. */
  selects(record: ObjectRecord): boolean {
    return this.#predicate === undefined || selects(this.#predicate, record);
  }

  /** The event as this group sees it; undefined when it does not concern the group. */
  view(event: CacheEvent): SharedWatchEvent | undefined {
    if (event === this.#lastEvent) return this.#lastView;
    this.#lastEvent = event;
    this.#lastView = this.#computeView(event);
    return this.#lastView;
  }

  #computeView(event: CacheEvent): SharedWatchEvent | undefined {
    const { key, recursive } = this.#scope;
    if (recursive ? !event.key.startsWith(key) : event.key !== key) return undefined;
    const current = !event.deleted && this.selects(event.record);
    const before = event.previous !== undefined && this.selects(event.previous);
    return event.view(current, before);
  }
}
