import { upperBound } from '../mvcc/key-range.ts';
import type { KeyRecord } from '../mvcc/key-record.ts';
import type { MvccStore } from '../mvcc/mvcc-store.ts';
import type { Compare } from '../proto/rpc-kv.ts';
import { CompareResult, CompareTarget } from '../proto/rpc-kv.ts';

/**
 * Whether every key of the comparison's range satisfies it (etcd: txn.applyCompare).
 *
 * A range without keys counts as one key with zeros, except for values: a value
 * comparison of nothing is false, for a missing value cannot be told from an empty one.
 */
export function holds(store: MvccStore, compare: Compare): boolean {
  if (compare.rangeEnd === '') {
    const record = store.index.get(compare.key);
    return record === undefined ? holdsForNothing(compare) : holdsFor(store, record, compare);
  }
  const records = store.index.collect(compare.key, upperBound(compare.key, compare.rangeEnd));
  if (records.length === 0) return holdsForNothing(compare);
  return records.every((record) => holdsFor(store, record, compare));
}

function holdsForNothing(compare: Compare): boolean {
  return compare.target !== CompareTarget.value && agrees(compare.result, -expected(compare));
}

function holdsFor(store: MvccStore, record: KeyRecord, compare: Compare): boolean {
  switch (compare.target) {
    case CompareTarget.version:
      return agrees(compare.result, record.version - compare.version);
    case CompareTarget.create:
      return agrees(compare.result, record.createRevision - compare.createRevision);
    case CompareTarget.mod:
      return agrees(compare.result, record.modRevision - compare.modRevision);
    case CompareTarget.lease:
      return agrees(compare.result, record.lease - compare.lease);
    default:
      return agrees(compare.result, Buffer.compare(store.value(record) ?? new Uint8Array(0), compare.value));
  }
}

function expected(compare: Compare): number {
  switch (compare.target) {
    case CompareTarget.version:
      return compare.version;
    case CompareTarget.create:
      return compare.createRevision;
    case CompareTarget.mod:
      return compare.modRevision;
    default:
      return compare.lease;
  }
}

function agrees(result: number, difference: number): boolean {
  switch (result) {
    case CompareResult.equal:
      return difference === 0;
    case CompareResult.notEqual:
      return difference !== 0;
    case CompareResult.greater:
      return difference > 0;
    case CompareResult.less:
      return difference < 0;
    default:
      return true;
  }
}
