import type { IRangeRequest } from 'etcd3/lib/rpc.js';
import { decodeLease, decodeRange, decodeStatus, decodeTxn, decodeWrite } from './response-decoders.ts';
import {
  encodeCompaction,
  encodeDelete,
  encodeEmpty,
  encodeLeaseGrant,
  encodeLeaseId,
  encodePut,
  encodeRange,
  encodeTxn,
} from './request-encoders.ts';

/** How one unary method travels. */
export interface RpcMethod {
  readonly path: string;
  /** May be repeated when its outcome is not known. */
  readonly readOnly: boolean;
  readonly encode: (request: unknown) => Buffer;
  readonly decode: (message: Buffer) => unknown;
  /** Whether the answer may be as large as many objects. */
  readonly longAnswer: (request: unknown) => boolean;
}

/** A range of keys is asked for, not one. */
function ofMany(request: unknown): boolean {
  const { count_only: countOnly, range_end: end } = request as IRangeRequest;
  return end !== undefined && countOnly !== true;
}

const never = (): boolean => false;

function unary<Request>(
  path: string,
  kind: 'read' | 'write',
  encode: (request: Request) => Buffer,
  decode: (message: Buffer) => unknown,
): RpcMethod {
  // The table is keyed by method, so the request that arrives is the method's own.
  return {
    path: `/etcdserverpb.${path}`,
    readOnly: kind === 'read',
    encode: encode as (request: unknown) => Buffer,
    decode,
    longAnswer: path === 'KV/Range' ? ofMany : never,
  };
}

/** Unary methods by the names that etcd3's service clients use. */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map([
  ['KV/range', unary('KV/Range', 'read', encodeRange, decodeRange)],
  ['KV/put', unary('KV/Put', 'write', encodePut, decodeWrite)],
  ['KV/deleteRange', unary('KV/DeleteRange', 'write', encodeDelete, decodeWrite)],
  ['KV/txn', unary('KV/Txn', 'write', encodeTxn, decodeTxn)],
  ['KV/compact', unary('KV/Compact', 'write', encodeCompaction, decodeWrite)],
  ['Lease/leaseGrant', unary('Lease/LeaseGrant', 'write', encodeLeaseGrant, decodeLease)],
  ['Lease/leaseRevoke', unary('Lease/LeaseRevoke', 'write', encodeLeaseId, decodeWrite)],
  ['Lease/leaseTimeToLive', unary('Lease/LeaseTimeToLive', 'read', encodeLeaseId, decodeLease)],
  ['Maintenance/status', unary('Maintenance/Status', 'read', encodeEmpty, decodeStatus)],
]);
