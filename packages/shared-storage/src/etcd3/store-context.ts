import type { GroupResource } from '@kubechain/apimachinery';
import type { ObjectRecord, ResourceCodec } from '../storage/interfaces.ts';
import { identityTransformer } from '../value/identity.ts';
import type { Untransformed, ValueTransformer } from '../value/transformer.ts';
import type {
  CallOptions,
  EtcdClient,
  KeyValue,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
} from '../etcd-client/etcd-client.ts';
import { undecodable, untransformable } from './corrupt-objects.ts';
import type { LeaseBucket } from './lease-bucket.ts';
import type { ReadTurns } from './read-turns.ts';
import { toStorageError } from './storage-errors.ts';
import type { EtcdOperation, StoreMetrics } from './store-metrics.ts';

/** JSON of records that are made before others are served: what defaults add may be a hundred times what is stored. */
export const turnBytes = 512 * 1024;

/** What every operation of one resource's store works with. */
export interface StoreContext {
  readonly client: EtcdClient;
  readonly codec: ResourceCodec;
  /** Undefined: values are stored as encoded. */
  readonly transformer: ValueTransformer | undefined;
  /** Full key root without a final slash, e.g. `/registry/pods`. */
  readonly keyRoot: string;
  /** `keyRoot` without --etcd-prefix. */
  readonly resourcePrefix: string;
  readonly groupResource: GroupResource;
  /** Unreadable objects are reported in the words of upstream's AllowUnsafeMalformedObjectDeletion. */
  readonly unsafeDeletion: boolean;
  readonly leases: LeaseBucket;
  /** Of reads that decode more than `turnBytes`. */
  readonly turns: ReadTurns;
  readonly metrics: StoreMetrics;
}

/** A stored object with what a compare-and-swap needs. */
export interface StoredState {
  readonly record: ObjectRecord;
  /** Encoded bytes before transformation; undefined when the state is a caller's cached record. */
  readonly encoded: Uint8Array | undefined;
  readonly stale: boolean;
  /** Not updated since it was created; false where that is not known (cached). */
  readonly isFirst: boolean;
  /** 0n = none; undefined = not known (cached). */
  readonly lease: bigint | undefined;
}

/** Range call, measured. @throws EtcdError */
export async function measuredRange(
  context: StoreContext,
  operation: EtcdOperation,
  request: { readonly range: RangeRequest; readonly options?: CallOptions | undefined },
): Promise<RangeResponse> {
  const startedMs = performance.now();
  try {
    const response = await context.client.range(request.range, request.options);
    context.metrics.request(operation, startedMs, false);
    return response;
  } catch (error) {
    context.metrics.request(operation, startedMs, true);
    throw error;
  }
}

/** Transaction, measured. @throws StorageError */
export async function measuredTxn(
  context: StoreContext,
  operation: EtcdOperation,
  request: { readonly key: string; readonly txn: TxnRequest; readonly options?: CallOptions | undefined },
): Promise<TxnResponse> {
  const startedMs = performance.now();
  try {
    const response = await context.client.txn(request.txn, request.options);
    context.metrics.request(operation, startedMs, false);
    return response;
  } catch (error) {
    context.metrics.request(operation, startedMs, true);
    throw toStorageError(error, request.key);
  }
}

/** Reads a value back through the transformer. @throws StorageError `CorruptObject` */
export function untransform(
  context: StoreContext,
  value: Uint8Array,
  key: string,
): Untransformed | Promise<Untransformed> {
  const { transformer = identityTransformer } = context;
  try {
    const result = transformer.fromStorage(value, key);
    return result instanceof Promise
      ? result.catch((error: unknown) => {
          throw untransformable(context, key, error);
        })
      : result;
  } catch (error) {
    throw untransformable(context, key, error);
  }
}

/** Decodes, counting failures. @throws StorageError `CorruptObject` */
export function decodeRecord(
  context: StoreContext,
  stored: { readonly key: string; readonly value: Uint8Array; readonly revision: number },
): ObjectRecord {
  try {
    return context.codec.decode(stored.key, stored.value, stored.revision);
  } catch (error) {
    context.metrics.decodeError();
    throw undecodable(context, stored, error);
  }
}

/** State of a key-value as read from etcd. @throws StorageError `CorruptObject` */
export async function stateOf(context: StoreContext, kv: KeyValue): Promise<StoredState> {
  const { value, stale } = await untransform(context, kv.value, kv.key);
  return {
    record: decodeRecord(context, { key: kv.key, value, revision: kv.modRevision }),
    encoded: value,
    stale,
    isFirst: kv.createRevision === kv.modRevision,
    lease: kv.lease,
  };
}

/** The latest state of a key, undefined when it does not exist. @throws StorageError */
export async function readState(
  context: StoreContext,
  key: string,
  options: CallOptions | undefined,
): Promise<StoredState | undefined> {
  const kv = await readKeyValue(context, key, options);
  return kv === undefined ? undefined : stateOf(context, kv);
}

/** The latest stored bytes of a key. @throws StorageError */
export async function readKeyValue(
  context: StoreContext,
  key: string,
  options: CallOptions | undefined,
): Promise<KeyValue | undefined> {
  try {
    const response = await measuredRange(context, 'get', { range: { key }, options });
    return response.kvs[0];
  } catch (error) {
    throw toStorageError(error, key);
  }
}

/** Record of bytes that were just written. */
export function writtenRecord(
  context: StoreContext,
  key: string,
  written: {
    readonly object: Parameters<ResourceCodec['encode']>[0];
    readonly value: Uint8Array;
    readonly revision: number;
  },
): ObjectRecord {
  const { codec } = context;
  return codec.recordOf === undefined
    ? decodeRecord(context, { key, value: written.value, revision: written.revision })
    : codec.recordOf(key, written);
}
