import type { StoreEvent } from '../mvcc/key-record.ts';
import { inRange } from '../mvcc/key-range.ts';
import type { Watcher } from './watcher.ts';

interface RangeGroup {
  readonly from: string;
  readonly upper: string | undefined;
  readonly watchers: Set<Watcher>;
}

/**
 * The synced watchers, grouped by what they watch: single keys are found with one
 * look-up, and a range is compared once for all that watch the same.
 */
export class WatcherGroups {
  readonly #keys = new Map<string, Set<Watcher>>();
  readonly #ranges = new Map<string, RangeGroup>();

  add(watcher: Watcher): void {
    const id = groupId(watcher);
    if (id === undefined) {
      const group = this.#keys.get(watcher.from);
      if (group === undefined) this.#keys.set(watcher.from, new Set([watcher]));
      else group.add(watcher);
      return;
    }
    const group = this.#ranges.get(id);
    if (group === undefined)
      this.#ranges.set(id, { from: watcher.from, upper: watcher.upper, watchers: new Set([watcher]) });
    else group.watchers.add(watcher);
  }

  remove(watcher: Watcher): void {
    const id = groupId(watcher);
    const group = id === undefined ? this.#keys.get(watcher.from) : this.#ranges.get(id)?.watchers;
    group?.delete(watcher);
    if (group?.size !== 0) return;
    if (id === undefined) this.#keys.delete(watcher.from);
    else this.#ranges.delete(id);
  }

  /** The events each watcher wants, in order; watchers that want none are not listed. */
  match(events: readonly StoreEvent[]): Map<Watcher, StoreEvent[]> {
    const matched = new Map<Watcher, StoreEvent[]>();
    for (const event of events) {
      const key = event.record.key;
      const byKey = this.#keys.get(key);
      if (byKey !== undefined) collect(byKey, event, matched);
      for (const group of this.#ranges.values()) {
        if (inRange(key, group.from, group.upper)) collect(group.watchers, event, matched);
      }
    }
    return matched;
  }

  /** Removes and answers all watchers. */
  drain(): Watcher[] {
    const all = [...this.#keys.values(), ...[...this.#ranges.values()].map((group) => group.watchers)].flatMap(
      (group) => [...group],
    );
    this.#keys.clear();
    this.#ranges.clear();
    return all;
  }
}

function collect(watchers: ReadonlySet<Watcher>, event: StoreEvent, matched: Map<Watcher, StoreEvent[]>): void {
  for (const watcher of watchers) {
    if (!watcher.wants(event)) continue;
    const events = matched.get(watcher);
    if (events === undefined) matched.set(watcher, [event]);
    else events.push(event);
  }
}

/** `undefined` for a single key. */
function groupId(watcher: Watcher): string | undefined {
  const { from, upper } = watcher;
  if (upper === undefined) return `${from}\0>`;
  if (upper.length === from.length + 1 && upper === `${from}\0`) return undefined;
  return `${from.length}:${from}${upper}`;
}
