import { etcdError } from '../errors/etcd-error.ts';
import type { PutRequest, PutResponse } from '../proto/rpc-kv.ts';
import type { KvContext } from './kv-context.ts';
import { toKeyValue } from './kv-context.ts';
import { checkRequestSize } from '../grpc/request-size.ts';
import { storedByPut } from './stored-bytes.ts';
import { innerHeader, replyHeader } from '../proto/response-header.ts';

/** Refuses requests that are wrong whatever the store holds (etcd: api/v3rpc/key.go). @throws EtcdError */
export function checkPut(request: PutRequest): void {
  if (request.key === '') throw etcdError('emptyKey');
  if (request.ignoreValue && request.value.length !== 0) throw etcdError('valueProvided');
  if (request.ignoreLease && request.lease !== 0) throw etcdError('leaseProvided');
}

/** Refuses a put that the store's state rules out, before anything is written. @throws EtcdError */
export function checkPutAgainstStore(context: KvContext, request: PutRequest): void {
  if ((request.ignoreValue || request.ignoreLease) && context.store.index.get(request.key) === undefined)
    throw etcdError('keyNotFound');
  if (request.lease !== 0 && !context.lessor.has(request.lease)) throw etcdError('leaseNotFound');
}

/** KV.Put; `size` is the encoded request's. @throws EtcdError */
export function put(context: KvContext, request: PutRequest, size: number): PutResponse {
  checkPut(request);
  checkRequestSize(size);
  context.quota.take(storedByPut(request));
  checkPutAgainstStore(context, request);
  context.store.beginTxn();
  const { prevKv } = putInTxn(context, request);
  return { header: replyHeader(context.identity, context.store.endTxn()), prevKv };
}

/** Put as an operation of a transaction whose checks have passed. */
export function putInTxn(context: KvContext, request: PutRequest): PutResponse {
  const store = context.store;
  const previous = store.index.get(request.key);
  const prevKv = request.prevKv && previous !== undefined ? toKeyValue(store, previous) : undefined;
  let value = request.value;
  let lease = request.lease;
  if (previous !== undefined) {
    if (request.ignoreValue) value = store.value(previous) ?? value;
    if (request.ignoreLease) lease = previous.lease;
  }
  store.put(request.key, value, lease);
  return { header: innerHeader(store.revision), prevKv };
}
