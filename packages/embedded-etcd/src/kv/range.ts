import { etcdError } from '../errors/etcd-error.ts';
import { upperBound } from '../mvcc/key-range.ts';
import type { KeyRecord } from '../mvcc/key-record.ts';
import type { KeyValue } from '../proto/kv.ts';
import type { MvccStore } from '../mvcc/mvcc-store.ts';
import type { RangeRequest, RangeResponse } from '../proto/rpc-kv.ts';
import { SortOrder, SortTarget } from '../proto/rpc-kv.ts';
import type { KvContext } from './kv-context.ts';
import { toKeyValue } from './kv-context.ts';
import { innerHeader, replyHeader } from '../proto/response-header.ts';

/**
 * A reply that is limited anyway ends before the value that would make it larger, and says that there is more: neither
 * this process nor the one that asked holds everybody up for gigabytes at once, however large what is stored turns out.
 * etcd has no such bound; those who ask for everything get it.
 */
const LIMITED_REPLY_BYTES = 8 * 1024 * 1024;

/** Refuses requests that are wrong whatever the store holds (etcd: api/v3rpc/key.go). @throws EtcdError */
export function checkRange(request: RangeRequest): void {
  if (request.key === '') throw etcdError('emptyKey');
  if (request.sortOrder < SortOrder.none || request.sortOrder > SortOrder.descend) throw etcdError('invalidSortOption');
  if (request.sortTarget < SortTarget.key || request.sortTarget > SortTarget.value)
    throw etcdError('invalidSortOption');
}

/** KV.Range. `serializable` changes nothing here: there is one member. @throws EtcdError */
export function range(context: KvContext, request: RangeRequest): RangeResponse {
  checkRange(request);
  const response = rangeInTxn(context.store, request);
  return { ...response, header: replyHeader(context.identity, context.store.revision) };
}

/**
 * Range as an operation of a transaction.
 *
 * etcd's order of things: a sort or a revision filter reads the whole range and
 * limits afterwards; `count` is always that of the range before the filters.
 */
export function rangeInTxn(store: MvccStore, request: RangeRequest): RangeResponse {
  const filtered = hasFilter(request);
  const limitOnRead = request.sortOrder === SortOrder.none && !filtered && request.limit > 0 ? request.limit + 1 : 0;
  const { records, count } = store.range(request.key, upperBound(request.key, request.rangeEnd), {
    revision: request.revision,
    limit: limitOnRead,
    countOnly: request.countOnly,
  });
  let selected = filtered ? records.filter((record) => passes(record, request)) : records;
  const order =
    request.sortTarget !== SortTarget.key && request.sortOrder === SortOrder.none
      ? SortOrder.ascend
      : request.sortOrder;
  if (order !== SortOrder.none)
    sort(store, selected, { target: request.sortTarget, descending: order === SortOrder.descend });
  const more = request.limit > 0 && selected.length > request.limit;
  if (more) selected = selected.slice(0, request.limit);
  const bound = limitOnRead > 0 ? LIMITED_REPLY_BYTES : Infinity;
  const kvs: KeyValue[] = [];
  let bytes = 0;
  for (const record of selected) {
    const kv = toKeyValue(store, record, request.keysOnly);
    bytes += kv.value.length;
    if (bytes > bound && kvs.length > 0) break;
    kvs.push(kv);
  }
  return { header: innerHeader(store.revision), kvs, more: more || kvs.length < selected.length, count };
}

/** About how many bytes the encoded reply takes: saves the encoder from growing its buffer. */
export function rangeReplySize(response: RangeResponse): number {
  let total = 128;
  for (const kv of response.kvs) total += kv.key.length + kv.value.length + 48;
  return total;
}

function hasFilter(request: RangeRequest): boolean {
  return (
    request.minModRevision !== 0 ||
    request.maxModRevision !== 0 ||
    request.minCreateRevision !== 0 ||
    request.maxCreateRevision !== 0
  );
}

function passes(record: KeyRecord, request: RangeRequest): boolean {
  return (
    (request.maxModRevision === 0 || record.modRevision <= request.maxModRevision) &&
    (request.minModRevision === 0 || record.modRevision >= request.minModRevision) &&
    (request.maxCreateRevision === 0 || record.createRevision <= request.maxCreateRevision) &&
    (request.minCreateRevision === 0 || record.createRevision >= request.minCreateRevision)
  );
}

function sort(
  store: MvccStore,
  records: KeyRecord[],
  by: { readonly target: number; readonly descending: boolean },
): void {
  const sign = by.descending ? -1 : 1;
  switch (by.target) {
    case SortTarget.key:
      if (by.descending) records.reverse();
      return;
    case SortTarget.version:
      records.sort((left, right) => sign * (left.version - right.version));
      return;
    case SortTarget.create:
      records.sort((left, right) => sign * (left.createRevision - right.createRevision));
      return;
    case SortTarget.mod:
      records.sort((left, right) => sign * (left.modRevision - right.modRevision));
      return;
    default: {
      const values = new Map(records.map((record) => [record, store.value(record) ?? new Uint8Array(0)]));
      records.sort(
        (left, right) => sign * Buffer.compare(values.get(left) as Uint8Array, values.get(right) as Uint8Array),
      );
    }
  }
}
