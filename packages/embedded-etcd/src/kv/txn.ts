import type { RequestOp, ResponseOp, TxnRequest, TxnResponse } from '../proto/rpc-kv.ts';
import { holds } from './compare.ts';
import { deleteRangeInTxn } from './delete-range.ts';
import type { KvContext } from './kv-context.ts';
import { checkPutAgainstStore, putInTxn } from './put.ts';
import { rangeInTxn, rangeReplySize } from './range.ts';
import { checkRequestSize } from '../grpc/request-size.ts';
import { innerHeader, replyHeader } from '../proto/response-header.ts';
import { storedByTxn } from './stored-bytes.ts';
import { checkTxn } from './txn-check.ts';

/**
 * KV.Txn: all comparisons, those of nested transactions included, see the state
 * before the first operation; then either everything runs at one revision or
 * nothing does (etcd: server/etcdserver/txn). `size` is the encoded request's.
 *
 * @throws EtcdError
 */
export function txn(context: KvContext, request: TxnRequest, size: number): TxnResponse {
  checkTxn(request);
  const stored = storedByTxn(request);
  if (stored > 0 || !isReadOnly(request)) checkRequestSize(size);
  context.quota.take(stored);
  const path = choosePath(context, request);
  checkAgainstStore(context, path);
  context.store.beginTxn();
  const response = run(context, path);
  return { ...response, header: replyHeader(context.identity, context.store.endTxn()) };
}

/** About how many bytes the encoded reply takes. */
export function txnReplySize(response: TxnResponse): number {
  let total = 128;
  for (const op of response.responses) {
    if (op.responseRange !== undefined) total += rangeReplySize(op.responseRange);
    else total += 64;
  }
  return total;
}

/** The branch each transaction takes, decided before anything runs. */
interface Path {
  readonly succeeded: boolean;
  readonly steps: readonly Step[];
}

interface Step {
  readonly op: RequestOp;
  readonly nested: Path | undefined;
}

function choosePath(context: KvContext, request: TxnRequest): Path {
  const succeeded = request.compare.every((compare) => holds(context.store, compare));
  const ops = succeeded ? request.success : request.failure;
  const steps = ops.map((op) => ({
    op,
    nested: op.requestTxn === undefined ? undefined : choosePath(context, op.requestTxn),
  }));
  return { succeeded, steps };
}

function checkAgainstStore(context: KvContext, path: Path): void {
  for (const { op, nested } of path.steps) {
    if (nested !== undefined) checkAgainstStore(context, nested);
    else if (op.requestRange !== undefined) context.store.checkRevision(op.requestRange.revision);
    else if (op.requestPut !== undefined) checkPutAgainstStore(context, op.requestPut);
  }
}

function run(context: KvContext, path: Path): TxnResponse {
  const responses = path.steps.map((step) => runStep(context, step));
  return { header: innerHeader(0), succeeded: path.succeeded, responses };
}

function runStep(context: KvContext, { op, nested }: Step): ResponseOp {
  const response = {
    responseRange: undefined,
    responsePut: undefined,
    responseDeleteRange: undefined,
    responseTxn: undefined,
  };
  if (nested !== undefined) return { ...response, responseTxn: run(context, nested) };
  if (op.requestRange !== undefined) return { ...response, responseRange: rangeInTxn(context.store, op.requestRange) };
  if (op.requestPut !== undefined) return { ...response, responsePut: putInTxn(context, op.requestPut) };
  if (op.requestDeleteRange !== undefined)
    return { ...response, responseDeleteRange: deleteRangeInTxn(context, op.requestDeleteRange) };
  return response;
}

function isReadOnly(request: TxnRequest): boolean {
  return [...request.success, ...request.failure].every(
    (op) =>
      op.requestPut === undefined &&
      op.requestDeleteRange === undefined &&
      (op.requestTxn === undefined || isReadOnly(op.requestTxn)),
  );
}
