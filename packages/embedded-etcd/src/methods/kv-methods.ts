import type { Method } from '../grpc/method.ts';
import { unary } from '../grpc/method.ts';
import {
  CompactionRequest,
  DeleteRangeRequest,
  DeleteRangeResponse,
  HeaderOnly,
  PutRequest,
  PutResponse,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
} from '../proto/rpc-kv.ts';
import type { ServerContext } from '../context/server-context.ts';
import { compact } from './compact.ts';
import { deleteRange } from '../kv/delete-range.ts';
import { put } from '../kv/put.ts';
import { range, rangeReplySize } from '../kv/range.ts';
import { txn, txnReplySize } from '../kv/txn.ts';

const SERVICE = '/etcdserverpb.KV';

/** The KV service. */
export function kvMethods(context: ServerContext): [string, Method][] {
  return [
    [
      `${SERVICE}/Range`,
      unary({
        request: RangeRequest,
        response: RangeResponse,
        handle: (request) => range(context, request),
        sizeHint: rangeReplySize,
      }),
    ],
    [
      `${SERVICE}/Put`,
      unary({ request: PutRequest, response: PutResponse, handle: (request, size) => put(context, request, size) }),
    ],
    [
      `${SERVICE}/DeleteRange`,
      unary({
        request: DeleteRangeRequest,
        response: DeleteRangeResponse,
        handle: (request) => deleteRange(context, request),
      }),
    ],
    [
      `${SERVICE}/Txn`,
      unary({
        request: TxnRequest,
        response: TxnResponse,
        handle: (request, size) => txn(context, request, size),
        sizeHint: txnReplySize,
      }),
    ],
    [
      `${SERVICE}/Compact`,
      unary({ request: CompactionRequest, response: HeaderOnly, handle: (request) => compact(context, request) }),
    ],
  ];
}
