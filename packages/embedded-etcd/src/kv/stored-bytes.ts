import type { PutRequest, TxnRequest } from '../proto/rpc-kv.ts';

/** What a key takes besides its name and its value, as etcd estimates it. Bytes. */
const KEY_OVERHEAD = 256;
/** The same of a lease. */
export const LEASE_BYTES = 64;

/** About how many bytes a put adds (etcd 3.6: `costPut` of server/storage/quota.go). */
export function storedByPut(request: PutRequest): number {
  return KEY_OVERHEAD + request.key.length + request.value.length;
}

/** About how many bytes a transaction adds at most, whichever branch it takes; 0 when neither puts anything. */
export function storedByTxn({ failure, success }: TxnRequest): number {
  return Math.max(storedByOps(success), storedByOps(failure));
}

function storedByOps(ops: TxnRequest['success']): number {
  let bytes = 0;
  for (const { requestPut, requestTxn } of ops) {
    if (requestPut !== undefined) bytes += storedByPut(requestPut);
    else if (requestTxn !== undefined) bytes += storedByTxn(requestTxn);
  }
  return bytes;
}
