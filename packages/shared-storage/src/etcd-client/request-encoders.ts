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
import { ProtobufWriter } from './protobuf-writer.ts';

/** Enough for the fields around keys and values, so that most requests are written without growing the buffer. */
const overheadBytes = 64;

function size(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : bytes.length;
}

function writeRange(writer: ProtobufWriter, request: IRangeRequest): void {
  writer.bytes(1, request.key);
  writer.bytes(2, request.range_end);
  writer.int64(3, Number(request.limit ?? 0));
  writer.int64(4, Number(request.revision ?? 0));
  writer.bool(7, request.serializable);
  writer.bool(8, request.keys_only);
  writer.bool(9, request.count_only);
}

function writePut(writer: ProtobufWriter, request: IPutRequest): void {
  writer.bytes(1, request.key);
  writer.bytes(2, request.value);
  writer.bigint64(3, BigInt(request.lease ?? 0));
  writer.bool(4, request.prev_kv);
  writer.bool(6, request.ignore_lease);
}

function writeDelete(writer: ProtobufWriter, request: IDeleteRangeRequest): void {
  writer.bytes(1, request.key);
  writer.bytes(2, request.range_end);
  writer.bool(3, request.prev_kv);
}

function writeOperation(writer: ProtobufWriter, field: number, operation: IRequestOp): void {
  const outer = writer.begin(field);
  if (operation.request_range !== undefined) {
    const inner = writer.begin(1);
    writeRange(writer, operation.request_range);
    writer.end(inner);
  } else if (operation.request_put !== undefined) {
    const inner = writer.begin(2);
    writePut(writer, operation.request_put);
    writer.end(inner);
  } else if (operation.request_delete_range !== undefined) {
    const inner = writer.begin(3);
    writeDelete(writer, operation.request_delete_range);
    writer.end(inner);
  }
  writer.end(outer);
}

const targets = { Version: 0, Create: 1, Mod: 2, Value: 3, Lease: 4 } as const;
const results = { Equal: 0, Greater: 1, Less: 2, NotEqual: 3 } as const;

function writeCompare(writer: ProtobufWriter, compare: ICompare): void {
  const start = writer.begin(1);
  writer.int64(1, typeof compare.result === 'string' ? results[compare.result] : compare.result);
  writer.int64(2, typeof compare.target === 'string' ? targets[compare.target] : compare.target);
  writer.bytes(3, compare.key);
  // Members of a oneof: written even when 0, as absence would mean "not set".
  if (compare.version !== undefined) writer.int64Present(4, Number(compare.version));
  if (compare.create_revision !== undefined) writer.int64Present(5, Number(compare.create_revision));
  if (compare.mod_revision !== undefined) writer.int64Present(6, Number(compare.mod_revision));
  writer.end(start);
}

/** Writes etcdserverpb.RangeRequest as one gRPC frame. */
export function encodeRange(request: IRangeRequest): Buffer {
  const writer = new ProtobufWriter(overheadBytes + size(request.key) + size(request.range_end));
  writeRange(writer, request);
  return writer.frame();
}

/** Writes etcdserverpb.PutRequest. */
export function encodePut(request: IPutRequest): Buffer {
  const writer = new ProtobufWriter(overheadBytes + size(request.key) + size(request.value));
  writePut(writer, request);
  return writer.frame();
}

/** Writes etcdserverpb.DeleteRangeRequest. */
export function encodeDelete(request: IDeleteRangeRequest): Buffer {
  const writer = new ProtobufWriter(overheadBytes + size(request.key) + size(request.range_end));
  writeDelete(writer, request);
  return writer.frame();
}

/** Writes etcdserverpb.TxnRequest. */
export function encodeTxn(request: ITxnRequest): Buffer {
  let hint = overheadBytes * 4;
  for (const operation of request.success ?? [])
    hint += size(operation.request_put?.value) + 2 * size(operation.request_put?.key);
  const writer = new ProtobufWriter(hint);
  for (const compare of request.compare ?? []) writeCompare(writer, compare);
  for (const operation of request.success ?? []) writeOperation(writer, 2, operation);
  for (const operation of request.failure ?? []) writeOperation(writer, 3, operation);
  return writer.frame();
}

/** Writes etcdserverpb.CompactionRequest. */
export function encodeCompaction(request: ICompactionRequest): Buffer {
  const writer = new ProtobufWriter(overheadBytes);
  writer.int64(1, Number(request.revision ?? 0));
  writer.bool(2, request.physical);
  return writer.frame();
}

/** Writes etcdserverpb.LeaseGrantRequest. */
export function encodeLeaseGrant(request: ILeaseGrantRequest): Buffer {
  const writer = new ProtobufWriter(overheadBytes);
  writer.int64(1, Number(request.TTL ?? 0));
  writer.bigint64(2, BigInt(request.ID ?? 0));
  return writer.frame();
}

/** Writes etcdserverpb.LeaseRevokeRequest and LeaseTimeToLiveRequest, which begin alike. */
export function encodeLeaseId(request: ILeaseRevokeRequest | ILeaseTimeToLiveRequest): Buffer {
  const writer = new ProtobufWriter(overheadBytes);
  writer.bigint64(1, BigInt(request.ID ?? 0));
  return writer.frame();
}

/** Writes a message without fields. */
export function encodeEmpty(): Buffer {
  return new ProtobufWriter(0).frame();
}

/** Writes etcdserverpb.WatchRequest. */
export function encodeWatch(request: IWatchRequest): Buffer {
  const create = request.create_request;
  const writer = new ProtobufWriter(overheadBytes + 2 * size(create?.key));
  if (create !== undefined) {
    const start = writer.begin(1);
    writer.bytes(1, create.key);
    writer.bytes(2, create.range_end);
    writer.int64(3, Number(create.start_revision ?? 0));
    writer.bool(4, create.progress_notify);
    writer.bool(6, create.prev_kv);
    writer.bool(8, create.fragment);
    writer.end(start);
  } else if (request.progress_request !== undefined) {
    writer.end(writer.begin(3));
  }
  return writer.frame();
}
