import { etcdError } from '../errors/etcd-error.ts';
import { upperBound } from '../mvcc/key-range.ts';
import type { DeleteRangeRequest, DeleteRangeResponse } from '../proto/rpc-kv.ts';
import type { KvContext } from './kv-context.ts';
import { toKeyValue } from './kv-context.ts';
import { innerHeader, replyHeader } from '../proto/response-header.ts';

/** Refuses requests that are wrong whatever the store holds. @throws EtcdError */
export function checkDeleteRange(request: DeleteRangeRequest): void {
  if (request.key === '') throw etcdError('emptyKey');
}

/** KV.DeleteRange: all keys of the range go at one revision; none there changes nothing. @throws EtcdError */
export function deleteRange(context: KvContext, request: DeleteRangeRequest): DeleteRangeResponse {
  checkDeleteRange(request);
  context.store.beginTxn();
  const response = deleteRangeInTxn(context, request);
  return { ...response, header: replyHeader(context.identity, context.store.endTxn()) };
}

/** DeleteRange as an operation of a transaction. */
export function deleteRangeInTxn(context: KvContext, request: DeleteRangeRequest): DeleteRangeResponse {
  const store = context.store;
  const upper = upperBound(request.key, request.rangeEnd);
  const prevKvs = request.prevKv
    ? store.index.collect(request.key, upper).map((record) => toKeyValue(store, record))
    : [];
  const deleted = store.delete(request.key, upper);
  return { header: innerHeader(store.revision), deleted: deleted.length, prevKvs };
}
