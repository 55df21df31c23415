import { etcdError } from '../errors/etcd-error.ts';
import { inRange, upperBound } from '../mvcc/key-range.ts';
import type { RequestOp, TxnRequest } from '../proto/rpc-kv.ts';
import { checkDeleteRange } from './delete-range.ts';
import { checkPut } from './put.ts';
import { checkRange } from './range.ts';

/** etcd's default `--max-txn-ops`. */
const MAX_TXN_OPS = 128;

/** Refuses a transaction that is wrong whatever the store holds (etcd: api/v3rpc/key.go). @throws EtcdError */
export function checkTxn(request: TxnRequest): void {
  checkOps(request, MAX_TXN_OPS);
  checkOverlaps(request.success);
  checkOverlaps(request.failure);
}

function checkOps(request: TxnRequest, allowed: number): void {
  const count = Math.max(request.compare.length, request.success.length, request.failure.length);
  if (count > allowed) throw etcdError('tooManyOps');
  for (const compare of request.compare) if (compare.key === '') throw etcdError('emptyKey');
  for (const op of request.success) checkOp(op, allowed - count);
  for (const op of request.failure) checkOp(op, allowed - count);
}

function checkOp(op: RequestOp, allowed: number): void {
  if (op.requestRange !== undefined) checkRange(op.requestRange);
  else if (op.requestPut !== undefined) checkPut(op.requestPut);
  else if (op.requestDeleteRange !== undefined) checkDeleteRange(op.requestDeleteRange);
  else if (op.requestTxn !== undefined) checkOps(op.requestTxn, allowed);
  else throw etcdError('keyNotFound');
}

type Interval = readonly [from: string, upper: string | undefined];

interface Touched {
  readonly puts: Set<string>;
  readonly deletes: Interval[];
}

/**
 * Refuses a branch that may put a key twice, or put a key that it deletes.
 * The two branches of a nested transaction exclude each other and may overlap.
 */
function checkOverlaps(ops: readonly RequestOp[]): Touched {
  const puts = new Set<string>();
  const deletes: Interval[] = [];
  for (const { requestDeleteRange: request } of ops) {
    // etcd takes the range end \0 literally here, so an open-ended delete overlaps nothing.
    if (request !== undefined && request.rangeEnd !== '\0')
      deletes.push([request.key, upperBound(request.key, request.rangeEnd)]);
  }
  for (const { requestTxn: request } of ops) {
    if (request === undefined) continue;
    const onSuccess = checkOverlaps(request.success);
    const onFailure = checkOverlaps(request.failure);
    for (const key of onSuccess.puts) addPut(key, puts, deletes);
    for (const key of onFailure.puts) {
      if (onSuccess.puts.has(key) && !isDeleted(key, deletes)) continue;
      addPut(key, puts, deletes);
    }
    for (const branch of [onSuccess, onFailure]) for (const interval of branch.deletes) deletes.push(interval);
  }
  for (const { requestPut: request } of ops) if (request !== undefined) addPut(request.key, puts, deletes);
  return { puts, deletes };
}

function addPut(key: string, puts: Set<string>, deletes: readonly Interval[]): void {
  if (puts.has(key) || isDeleted(key, deletes)) throw etcdError('duplicateKey');
  puts.add(key);
}

function isDeleted(key: string, deletes: readonly Interval[]): boolean {
  return deletes.some(([from, upper]) => inRange(key, from, upper));
}
