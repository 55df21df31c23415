import type { ObjectRecord, SelectionPredicate } from './interfaces.ts';

/** Whether an object is selected: by labels, fields, and its shard. */
export function selects(predicate: SelectionPredicate, record: ObjectRecord): boolean {
  return predicate.matches(record.attributes) && (predicate.shard === undefined || predicate.shard.matches(record));
}
