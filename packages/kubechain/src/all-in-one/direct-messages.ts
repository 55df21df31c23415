import type {
  Compare as StoreCompare,
  DeleteRangeRequest,
  KeyValue as StoreKeyValue,
  PutRequest as StorePut,
  RangeRequest as StoreRange,
  RequestOp,
  TxnRequest as StoreTxn,
} from '@kubechain/embedded-etcd';
import { KeyValue } from '@kubechain/shared-storage/etcd';
import type {
  Compare,
  DeleteRequest,
  PutRequest,
  RangeRequest,
  TxnOperation,
  TxnRequest,
} from '@kubechain/shared-storage/etcd';

const noBytes = new Uint8Array(0);
/** `Compare.CompareResult` and `CompareTarget` of etcd's API. */
const equal = 0;
const compareVersion = 0;
const compareModRevision = 2;

/** The store's keys are bytes held as characters 0 to 255, those of clients are text, which is UTF-8 on the wire. */
export function storeKey(text: string): string {
  return isASCII(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function clientKey(key: string): string {
  return isASCII(key) ? key : Buffer.from(key, 'latin1').toString('utf8');
}

function isASCII(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

export function rangeOf(request: RangeRequest): StoreRange {
  return {
    key: storeKey(request.key),
    rangeEnd: storeKey(request.rangeEnd ?? ''),
    limit: request.limit ?? 0,
    revision: request.revision ?? 0,
    sortOrder: 0,
    sortTarget: 0,
    serializable: request.serializable ?? false,
    keysOnly: request.keysOnly ?? false,
    countOnly: request.countOnly ?? false,
    minModRevision: 0,
    maxModRevision: 0,
    minCreateRevision: 0,
    maxCreateRevision: 0,
  };
}

export function putOf(request: PutRequest): StorePut {
  return {
    key: storeKey(request.key),
    value: request.value,
    lease: Number(request.lease ?? 0n),
    prevKv: false,
    ignoreValue: false,
    ignoreLease: request.keepLease ?? false,
  };
}

export function deleteOf(request: DeleteRequest): DeleteRangeRequest {
  return {
    key: storeKey(request.key),
    rangeEnd: storeKey(request.rangeEnd ?? ''),
    prevKv: request.prevKv ?? false,
  };
}

export function txnOf({ compare, failure, success }: TxnRequest): StoreTxn {
  return { compare: compare.map(compareOf), success: success.map(operationOf), failure: failure.map(operationOf) };
}

function compareOf(compare: Compare): StoreCompare {
  return {
    result: equal,
    target: 'version' in compare ? compareVersion : compareModRevision,
    key: storeKey(compare.key),
    version: 'version' in compare ? compare.version : 0,
    createRevision: 0,
    modRevision: 'version' in compare ? 0 : compare.modRevision,
    value: noBytes,
    lease: 0,
    rangeEnd: '',
  };
}

function operationOf(operation: TxnOperation): RequestOp {
  const none = {
    requestRange: undefined,
    requestPut: undefined,
    requestDeleteRange: undefined,
    requestTxn: undefined,
  };
  switch (operation.kind) {
    case 'range':
      return { ...none, requestRange: rangeOf(operation.request) };
    case 'put':
      return { ...none, requestPut: putOf(operation.request) };
    case 'delete':
      return { ...none, requestDeleteRange: deleteOf(operation.request) };
    default:
      return operation satisfies never;
  }
}

/** The value stays the store's own bytes. */
export function toKeyValue(stored: StoreKeyValue): KeyValue {
  const kv = new KeyValue();
  kv.key = clientKey(stored.key);
  kv.createRevision = stored.createRevision;
  kv.modRevision = stored.modRevision;
  kv.version = stored.version;
  const { value } = stored;
  kv.value = Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  kv.lease = BigInt(stored.lease);
  return kv;
}
