import { KeyValue } from './kv.ts';
import type { MessageOf, MessageType } from './message.ts';
import { bool, bytes, integer, key, list, message, nested } from './message.ts';

/* etcdserverpb of etcd 3.6, api/etcdserverpb/rpc.proto: the KV service. */

/** Cluster and revision facts that begin every reply. */
export interface ResponseHeader {
  readonly clusterId: number;
  readonly memberId: number;
  readonly revision: number;
  readonly raftTerm: number;
}
export const ResponseHeader = message<ResponseHeader>({
  clusterId: integer(1),
  memberId: integer(2),
  revision: integer(3),
  raftTerm: integer(4),
});

/** `RangeRequest.SortOrder`. */
export const SortOrder = { none: 0, ascend: 1, descend: 2 } as const;
/** `RangeRequest.SortTarget`. */
export const SortTarget = { key: 0, version: 1, create: 2, mod: 3, value: 4 } as const;
/** `Compare.CompareResult`. */
export const CompareResult = { equal: 0, greater: 1, less: 2, notEqual: 3 } as const;
/** `Compare.CompareTarget`. */
export const CompareTarget = { version: 0, create: 1, mod: 2, value: 3, lease: 4 } as const;

/** Reads one key, or those of a range (etcdserverpb.RangeRequest). */
export interface RangeRequest {
  readonly key: string;
  readonly rangeEnd: string;
  readonly limit: number;
  readonly revision: number;
  readonly sortOrder: number;
  readonly sortTarget: number;
  readonly serializable: boolean;
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
  readonly minModRevision: number;
  readonly maxModRevision: number;
  readonly minCreateRevision: number;
  readonly maxCreateRevision: number;
}
export const RangeRequest = message<RangeRequest>({
  key: key(1),
  rangeEnd: key(2),
  limit: integer(3),
  revision: integer(4),
  sortOrder: integer(5),
  sortTarget: integer(6),
  serializable: bool(7),
  keysOnly: bool(8),
  countOnly: bool(9),
  minModRevision: integer(10),
  maxModRevision: integer(11),
  minCreateRevision: integer(12),
  maxCreateRevision: integer(13),
});

/** What a read found, at the revision of its header. */
export interface RangeResponse {
  readonly header: ResponseHeader | undefined;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}
export const RangeResponse = message<RangeResponse>({
  header: nested(1, () => ResponseHeader),
  kvs: list(2, () => KeyValue),
  more: bool(3),
  count: integer(4),
});

/** Writes one key (etcdserverpb.PutRequest). */
export interface PutRequest {
  readonly key: string;
  readonly value: Uint8Array;
  readonly lease: number;
  readonly prevKv: boolean;
  readonly ignoreValue: boolean;
  readonly ignoreLease: boolean;
}
export const PutRequest = message<PutRequest>({
  key: key(1),
  value: bytes(2),
  lease: integer(3),
  prevKv: bool(4),
  ignoreValue: bool(5),
  ignoreLease: bool(6),
});

export interface PutResponse {
  readonly header: ResponseHeader | undefined;
  readonly prevKv: KeyValue | undefined;
}
export const PutResponse = message<PutResponse>({
  header: nested(1, () => ResponseHeader),
  prevKv: nested(2, () => KeyValue),
});

/** Deletes one key, or those of a range (etcdserverpb.DeleteRangeRequest). */
export interface DeleteRangeRequest {
  readonly key: string;
  readonly rangeEnd: string;
  readonly prevKv: boolean;
}
export const DeleteRangeRequest = message<DeleteRangeRequest>({ key: key(1), rangeEnd: key(2), prevKv: bool(3) });

export interface DeleteRangeResponse {
  readonly header: ResponseHeader | undefined;
  readonly deleted: number;
  readonly prevKvs: readonly KeyValue[];
}
export const DeleteRangeResponse = message<DeleteRangeResponse>({
  header: nested(1, () => ResponseHeader),
  deleted: integer(2),
  prevKvs: list(3, () => KeyValue),
});

/** One comparison; of the five operands only the one its target names counts. */
export interface Compare {
  readonly result: number;
  readonly target: number;
  readonly key: string;
  readonly version: number;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly value: Uint8Array;
  readonly lease: number;
  readonly rangeEnd: string;
}
export const Compare = message<Compare>({
  result: integer(1),
  target: integer(2),
  key: key(3),
  version: integer(4),
  createRevision: integer(5),
  modRevision: integer(6),
  value: bytes(7),
  lease: integer(8),
  rangeEnd: key(64),
});

/** A oneof: at most one member is set. */
export interface RequestOp {
  readonly requestRange: RangeRequest | undefined;
  readonly requestPut: PutRequest | undefined;
  readonly requestDeleteRange: DeleteRangeRequest | undefined;
  readonly requestTxn: TxnRequest | undefined;
}
/** Operations for when all comparisons hold, and for when one does not (etcdserverpb.TxnRequest). */
export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}
export const RequestOp: MessageType<RequestOp> = message<RequestOp>({
  requestRange: nested(1, () => RangeRequest),
  requestPut: nested(2, () => PutRequest),
  requestDeleteRange: nested(3, () => DeleteRangeRequest),
  requestTxn: nested(4, () => TxnRequest),
});
export const TxnRequest: MessageType<TxnRequest> = message<TxnRequest>({
  compare: list(1, () => Compare),
  success: list(2, () => RequestOp),
  failure: list(3, () => RequestOp),
});

/** A oneof: exactly one member is set. */
export interface ResponseOp {
  readonly responseRange: RangeResponse | undefined;
  readonly responsePut: PutResponse | undefined;
  readonly responseDeleteRange: DeleteRangeResponse | undefined;
  readonly responseTxn: TxnResponse | undefined;
}
/** Whether the comparisons held, and what the operations answered. */
export interface TxnResponse {
  readonly header: ResponseHeader | undefined;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOp[];
}
export const ResponseOp: MessageType<ResponseOp> = message<ResponseOp>({
  responseRange: nested(1, () => RangeResponse),
  responsePut: nested(2, () => PutResponse),
  responseDeleteRange: nested(3, () => DeleteRangeResponse),
  responseTxn: nested(4, () => TxnResponse),
});
export const TxnResponse: MessageType<TxnResponse> = message<TxnResponse>({
  header: nested(1, () => ResponseHeader),
  succeeded: bool(2),
  responses: list(3, () => ResponseOp),
});

export const CompactionRequest = message<{ readonly revision: number; readonly physical: boolean }>({
  revision: integer(1),
  physical: bool(2),
});
export type CompactionRequest = MessageOf<typeof CompactionRequest>;

/** A reply that holds nothing but its header. */
export interface HeaderOnly {
  readonly header: ResponseHeader | undefined;
}
export const HeaderOnly = message<HeaderOnly>({ header: nested(1, () => ResponseHeader) });
