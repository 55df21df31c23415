import { append } from '@kubechain/apimachinery';
import type { ObjectRecord } from '../storage/interfaces.ts';
import type { CacheEvent } from './cache-event.ts';
import type { CacheWatcher } from './cache-watcher.ts';
import type { IndexMatch } from './watch-cache.ts';
import type { RecordIndex } from './record-index.ts';
import { WatcherGroup } from './watcher-group.ts';
import type { WatchScope } from './watcher-group.ts';

/**
 * Watchers by what they are about, so that an event costs only those that it may concern:
 *
 *   /registry/pods/            everything      ─┐
 *   /registry/pods/default/    one namespace    ├─ slot ─▶ group (same selection) ─▶ watchers
 *   /registry/pods/default/a   one object       │
 *   spec.nodeName=n1           one index value ─┘
 */
export class WatcherIndex {
  readonly #slots = new Map<string, Map<string, WatcherGroup<CacheWatcher>>>();
  readonly #rootPrefix: string;
  #size = 0;

  /** @param rootPrefix key prefix of the resource, ending in '/' */
  constructor(rootPrefix: string) {
    this.#rootPrefix = rootPrefix;
  }

  /** Number of watchers. */
  get size(): number {
    return this.#size;
  }

  /** The group for a scope; `index` when the scope's predicate pins that index. */
  group(scope: WatchScope, index: IndexMatch | undefined): WatcherGroup<CacheWatcher> {
    const slot = scope.recursive
      ? index === undefined
        ? scope.key
        : indexSlot(index.index.name, index.value)
      : scope.key;
    const id = groupId(scope);
    return this.#slots.get(slot)?.get(id) ?? new WatcherGroup<CacheWatcher>(slot, id, scope);
  }

  add(watcher: CacheWatcher): void {
    const { group } = watcher;
    let groups = this.#slots.get(group.slot);
    if (groups === undefined) this.#slots.set(group.slot, (groups = new Map()));
    groups.set(group.id, group);
    group.watchers.add(watcher);
    this.#size++;
  }

  delete(watcher: CacheWatcher): void {
    const { group } = watcher;
    if (!group.watchers.delete(watcher)) return;
    this.#size--;
    if (group.watchers.size > 0) return;
    const groups = this.#slots.get(group.slot);
    groups?.delete(group.id);
    if (groups?.size === 0) this.#slots.delete(group.slot);
  }

  /** All watchers at this moment. */
  all(): CacheWatcher[] {
    const result: CacheWatcher[] = [];
    for (const groups of this.#slots.values()) {
      for (const group of groups.values()) append(result, group.watchers);
    }
    return result;
  }

  /** Groups and watchers by slot, for the state dump. */
  describe(): { readonly slot: string; readonly selection: string; readonly watchers: number }[] {
    const result = [];
    for (const [slot, groups] of this.#slots) {
      for (const group of groups.values()) result.push({ slot, selection: group.id, watchers: group.watchers.size });
    }
    return result;
  }

  /** Offers an event to the watchers it may concern; pushes those that are full to `full`. */
  dispatch(event: CacheEvent, position: number, indexes: readonly RecordIndex[], full: CacheWatcher[]): void {
    if (this.#size === 0) return;
    const key = event.key;
    for (let slash = this.#rootPrefix.length; slash > 0; slash = key.indexOf('/', slash) + 1) {
      this.#offer(slash === key.length ? undefined : this.#slots.get(key.slice(0, slash)), event, position, full);
    }
    this.#offer(this.#slots.get(key), event, position, full);
    for (const index of indexes) {
      const current = indexValue(index, event.deleted ? undefined : event.record);
      const before = indexValue(index, event.previous);
      if (current !== undefined) this.#offer(this.#slots.get(indexSlot(index.name, current)), event, position, full);
      if (before !== undefined && before !== current)
        this.#offer(this.#slots.get(indexSlot(index.name, before)), event, position, full);
    }
  }

  #offer(
    groups: ReadonlyMap<string, WatcherGroup<CacheWatcher>> | undefined,
    event: CacheEvent,
    position: number,
    full: CacheWatcher[],
  ): void {
    if (groups === undefined) return;
    for (const group of groups.values()) {
      const view = group.view(event);
      if (view === undefined) continue;
      for (const watcher of group.watchers) {
        if (!watcher.offer(view, position)) full.push(watcher);
      }
    }
  }
}

function indexValue(index: RecordIndex, record: ObjectRecord | undefined): string | undefined {
  return record === undefined ? undefined : index.value(record.attributes);
}

function indexSlot(name: string, value: string): string {
  return `${name}=${value}`;
}

function groupId(scope: WatchScope): string {
  const { key, predicate } = scope;
  return predicate === undefined || predicate.empty
    ? key
    : `${key}?${predicate.label.toString()}&${predicate.field.toString()}&${predicate.shard?.text ?? ''}`;
}
