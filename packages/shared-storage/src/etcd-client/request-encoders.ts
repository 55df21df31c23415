import type {
  ICompactionRequest,
  ICompare,
  IDeleteRangeRequest,
  ILeaseGrantRequest,
  ILeaseRevokeRequest,
  ILeaseTimeToLiveRequest,
  IPutRequest,
  IRangeRequest,
  IRequestOp,
  ITxnRequest,
  IWatchRequest,
} from 'etcd3/lib/rpc.js';
import { WireWriter } from '@kubechain/apimachinery/wire';

/** Enough for the fields around keys and values and for gRPC's prefix: most requests need no second buffer. */
const overheadBytes = 64;

/* Fields are written from the last to the first, and left out when they have their default. */

function size(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : bytes.length;
}

/** Revisions, limits and enums: below 2^53. */
function integer(writer: WireWriter, field: number, value: string | number | undefined): void {
  const number = Number(value ?? 0);
  if (number === 0) return;
  writer.varint(number);
  writer.varint(field * 8);
}

/** Ids of leases use all 64 bits; as texts they are exact. */
function leaseId(writer: WireWriter, field: number, value: string | number | undefined): void {
  if (value === undefined || value === 0) return;
  const id = BigInt(value);
  if (id !== 0n) writer.integerField(field * 8, id);
}

function bool(writer: WireWriter, field: number, value: boolean | undefined): void {
  if (value !== true) return;
  writer.byte(1);
  writer.varint(field * 8);
}

function bytes(writer: WireWriter, field: number, value: Uint8Array | undefined): void {
  if (value !== undefined && value.length > 0) writer.bytesField(field * 8 + 2, value);
}

function writeRange(writer: WireWriter, request: IRangeRequest): void {
  bool(writer, 9, request.count_only);
  bool(writer, 8, request.keys_only);
  bool(writer, 7, request.serializable);
  integer(writer, 4, request.revision);
  integer(writer, 3, request.limit);
  bytes(writer, 2, request.range_end);
  bytes(writer, 1, request.key);
}

function writePut(writer: WireWriter, request: IPutRequest): void {
  bool(writer, 6, request.ignore_lease);
  bool(writer, 4, request.prev_kv);
  leaseId(writer, 3, request.lease);
  bytes(writer, 2, request.value);
  bytes(writer, 1, request.key);
}

function writeDelete(writer: WireWriter, request: IDeleteRangeRequest): void {
  bool(writer, 3, request.prev_kv);
  bytes(writer, 2, request.range_end);
  bytes(writer, 1, request.key);
}

function writeOperation(writer: WireWriter, tag: number, operation: IRequestOp): void {
  const start = writer.length;
  if (operation.request_range !== undefined) {
    writeRange(writer, operation.request_range);
    writer.close(0x0a, start);
  } else if (operation.request_put !== undefined) {
    writePut(writer, operation.request_put);
    writer.close(0x12, start);
  } else if (operation.request_delete_range !== undefined) {
    writeDelete(writer, operation.request_delete_range);
    writer.close(0x1a, start);
  }
  writer.close(tag, start);
}

function writeOperations(writer: WireWriter, tag: number, operations: readonly IRequestOp[] = []): void {
  for (let i = operations.length - 1; i >= 0; i--) writeOperation(writer, tag, operations[i] as IRequestOp);
}

const targets = { Version: 0, Create: 1, Mod: 2, Value: 3, Lease: 4 } as const;
const results = { Equal: 0, Greater: 1, Less: 2, NotEqual: 3 } as const;

function writeCompare(writer: WireWriter, compare: ICompare): void {
  const start = writer.length;
  // Members of a oneof: written even when 0, as absence would mean "not set".
  if (compare.mod_revision !== undefined) writer.integerField(48, Number(compare.mod_revision));
  if (compare.create_revision !== undefined) writer.integerField(40, Number(compare.create_revision));
  if (compare.version !== undefined) writer.integerField(32, Number(compare.version));
  bytes(writer, 3, compare.key);
  integer(writer, 2, typeof compare.target === 'string' ? targets[compare.target] : compare.target);
  integer(writer, 1, typeof compare.result === 'string' ? results[compare.result] : compare.result);
  writer.close(0x0a, start);
}

/** Writes etcdserverpb.RangeRequest as one gRPC frame. */
export function encodeRange(request: IRangeRequest): Buffer {
  const writer = new WireWriter(overheadBytes + size(request.key) + size(request.range_end));
  writeRange(writer, request);
  return writer.finishFrame();
}

/** Writes etcdserverpb.PutRequest. */
export function encodePut(request: IPutRequest): Buffer {
  const writer = new WireWriter(overheadBytes + size(request.key) + size(request.value));
  writePut(writer, request);
  return writer.finishFrame();
}

/** Writes etcdserverpb.DeleteRangeRequest. */
export function encodeDelete(request: IDeleteRangeRequest): Buffer {
  const writer = new WireWriter(overheadBytes + size(request.key) + size(request.range_end));
  writeDelete(writer, request);
  return writer.finishFrame();
}

/** Writes etcdserverpb.TxnRequest. */
export function encodeTxn(request: ITxnRequest): Buffer {
  let hint = overheadBytes * 4;
  for (const operation of request.success ?? [])
    hint += size(operation.request_put?.value) + 2 * size(operation.request_put?.key);
  const writer = new WireWriter(hint);
  writeOperations(writer, 0x1a, request.failure);
  writeOperations(writer, 0x12, request.success);
  const compares = request.compare ?? [];
  for (let i = compares.length - 1; i >= 0; i--) writeCompare(writer, compares[i] as ICompare);
  return writer.finishFrame();
}

/** Writes etcdserverpb.CompactionRequest. */
export function encodeCompaction(request: ICompactionRequest): Buffer {
  const writer = new WireWriter(overheadBytes);
  bool(writer, 2, request.physical);
  integer(writer, 1, request.revision);
  return writer.finishFrame();
}

/** Writes etcdserverpb.LeaseGrantRequest. */
export function encodeLeaseGrant(request: ILeaseGrantRequest): Buffer {
  const writer = new WireWriter(overheadBytes);
  leaseId(writer, 2, request.ID);
  integer(writer, 1, request.TTL);
  return writer.finishFrame();
}

/** Writes etcdserverpb.LeaseRevokeRequest and LeaseTimeToLiveRequest, which begin alike. */
export function encodeLeaseId(request: ILeaseRevokeRequest | ILeaseTimeToLiveRequest): Buffer {
  const writer = new WireWriter(overheadBytes);
  leaseId(writer, 1, request.ID);
  return writer.finishFrame();
}

/** Writes a message without fields. */
export function encodeEmpty(): Buffer {
  return new WireWriter(8).finishFrame();
}

/** Writes etcdserverpb.WatchRequest. */
export function encodeWatch(request: IWatchRequest): Buffer {
  const create = request.create_request;
  const writer = new WireWriter(overheadBytes + 2 * size(create?.key));
  if (create !== undefined) {
    bool(writer, 8, create.fragment);
    bool(writer, 6, create.prev_kv);
    bool(writer, 4, create.progress_notify);
    integer(writer, 3, create.start_revision);
    bytes(writer, 2, create.range_end);
    bytes(writer, 1, create.key);
    writer.close(0x0a, 0);
  } else if (request.progress_request !== undefined) {
    writer.close(0x1a, 0);
  }
  return writer.finishFrame();
}
