import type { History } from './history.ts';
import type { KeyIndex } from './key-index.ts';
import { inRange } from './key-range.ts';
import type { KeyRecord } from './key-record.ts';

/** A range as it was: the stretch of keys, and the last version that counts. */
export interface PastRange {
  readonly from: string;
  readonly upper: string | undefined;
  readonly maxId: number;
  /** 0 reads everything. */
  readonly limit: number;
  readonly countOnly: boolean;
}

/** What a range holds. */
export interface RangeResult {
  /** In key order, without values where those are only on disk (see `MvccStore.value`). */
  readonly records: KeyRecord[];
  /** All keys of the range, whatever the limit. */
  readonly count: number;
}

/**
 * Up to this many changes since then, the past is read as the present with those
 * changes taken back: pages of a long list cost as much as they are long. Beyond it,
 * the whole range is read from the history (1.5 µs a key; a change costs about 10).
 */
const OVERLAY_LIMIT = 4096;

/** Reads a range of the past. */
export function rangeInPast(index: KeyIndex, history: History, range: PastRange): RangeResult {
  const changes = history.keysFrom(range.maxId + 1, OVERLAY_LIMIT + 1);
  return changes.length > OVERLAY_LIMIT
    ? rangeFromHistory(history, range)
    : rangeFromPresent(index, history, { range, changes });
}

/** Reads the range from the history alone. */
export function rangeFromHistory(history: History, range: PastRange): RangeResult {
  const { from, upper, maxId, limit } = range;
  if (range.countOnly) return { records: [], count: history.countAt(from, upper, maxId) };
  const records = history.rangeAt(from, upper, { maxId, limit });
  const whole = limit === 0 || records.length < limit;
  return { records, count: whole ? records.length : history.countAt(from, upper, maxId) };
}

/** Reads the range from the present, less what `changes`, all versions since then, have made of it. */
export function rangeFromPresent(
  index: KeyIndex,
  history: History,
  { range, changes }: { readonly range: PastRange; readonly changes: readonly KeyRecord[] },
): RangeResult {
  const { from, upper, maxId, limit } = range;
  const changed = new Set<string>();
  for (const record of changes) if (inRange(record.key, from, upper)) changed.add(record.key);
  const before: KeyRecord[] = [];
  let count = index.count(from, upper);
  for (const key of changed) {
    const record = history.previous(key, maxId + 1);
    if (record !== undefined) before.push(record);
    if (index.get(key) !== undefined) count--;
  }
  count += before.length;
  if (range.countOnly) return { records: [], count };
  const present = index.collect(from, upper, limit === 0 ? 0 : limit + changed.size);
  const records =
    changed.size === 0
      ? present
      : merge(
          present.filter((record) => !changed.has(record.key)),
          before,
        );
  return { records: limit === 0 ? records : records.slice(0, limit), count };
}

function merge(unchanged: readonly KeyRecord[], before: KeyRecord[]): KeyRecord[] {
  before.sort((left, right) => (left.key < right.key ? -1 : 1));
  const merged: KeyRecord[] = [];
  let next = 0;
  for (const record of unchanged) {
    for (let old = before[next]; old !== undefined && old.key < record.key; old = before[++next]) merged.push(old);
    merged.push(record);
  }
  for (; next < before.length; next++) merged.push(before[next] as KeyRecord);
  return merged;
}
