import { randomInt } from 'node:crypto';
import { etcdError, type EtcdError } from '../errors/etcd-error.ts';
import { toEtcdError } from '../grpc/unary-call.ts';
import { compact } from '../methods/compact.ts';
import { deleteRange } from '../kv/delete-range.ts';
import { put } from '../kv/put.ts';
import { range } from '../kv/range.ts';
import { txn } from '../kv/txn.ts';
import { grantLease } from '../methods/lease-methods.ts';
import { dataSize } from '../mvcc/data-file.ts';
import { ETCD_VERSION } from '../maintenance/version.ts';
import type { StoreImage } from '../mvcc/store-image.ts';
import { encode, type MessageType } from '../proto/message.ts';
import { PutRequest, TxnRequest } from '../proto/rpc-kv.ts';
import type {
  DeleteRangeRequest,
  DeleteRangeResponse,
  PutResponse,
  RangeRequest,
  RangeResponse,
  TxnResponse,
} from '../proto/rpc-kv.ts';
import type { WatchCreateRequest } from '../proto/rpc-watch.ts';
import { closeStore, openStore } from '../server/open-store.ts';
import type { EmbeddedEtcdOptions } from '../server/options.ts';
import { completeOptions } from '../server/options.ts';
import type { ServerContext } from '../context/server-context.ts';
import { DirectWatch, type DirectWatchSink } from './direct-watch.ts';

/** Below this many bytes of keys and values no request can be too large, so that it need not be measured. */
const measureFromBytes = 1024 * 1024;

/** How the store is opened; nothing listens. */
export type EmbeddedStoreOptions = Pick<
  EmbeddedEtcdOptions,
  'clock' | 'dataFile' | 'image' | 'quotaBytes' | 'unsafeNoFsync' | 'valueCacheBytes' | 'watchProgressNotifyIntervalMs'
>;

/**
 * The store in the process of its only client: etcd's operations as functions, on the messages that the services work
 * on, without connection and encoding. Answers come when what they saw is committed, as over a connection; values are
 * the store's own bytes, and nobody may change them. All functions reject with `EtcdError`.
 */
export interface EmbeddedStore {
  range(request: RangeRequest): Promise<RangeResponse>;
  put(request: PutRequest): Promise<PutResponse>;
  deleteRange(request: DeleteRangeRequest): Promise<DeleteRangeResponse>;
  txn(request: TxnRequest): Promise<TxnResponse>;
  compact(revision: number): Promise<void>;
  /** Resolves to the lease's id. */
  leaseGrant(ttlSeconds: number): Promise<number>;
  leaseRevoke(id: number): Promise<void>;
  /** Seconds left, -1 when the lease is gone. */
  leaseTimeToLive(id: number): Promise<number>;
  status(): Promise<{ readonly version: string; readonly dbSizeBytes: number; readonly revision: number }>;
  watch(request: WatchCreateRequest, sink: DirectWatchSink): DirectWatch;
  /** What it holds now, for other stores to begin with; keys that `leaves` names are not in it, nor are leased ones. */
  image(leaves: (key: string) => boolean): StoreImage;
  /** Ends watches, commits, and closes the file. Idempotent. */
  close(): void;
}

/**
 * Opens the data file without serving it. `dataFile` `:memory:` keeps everything in memory, until it is closed.
 * @throws DataFileError when the file is in use, corrupt or another program's
 */
export function openEmbeddedStore(options: EmbeddedStoreOptions): EmbeddedStore {
  const context = openStore(completeOptions(options), { clientUrls: () => [], newId: () => randomInt(1, 2 ** 47) });
  const { lessor, store } = context;
  let closed = false;
  const answer = <T>(run: () => T | Promise<T>): Promise<T> =>
    closed ? Promise.reject(etcdError('stopped')) : committed(context, run);
  return {
    range: (request) => answer(() => range(context, request)),
    put: (request) => answer(() => put(context, request, sizeOf(PutRequest, request, request.value.length))),
    deleteRange: (request) => answer(() => deleteRange(context, request)),
    txn: (request) => answer(() => txn(context, request, sizeOf(TxnRequest, request, valueBytes(request)))),
    compact: (revision) => answer(() => void compact(context, { revision, physical: false })),
    leaseGrant: (ttl) => answer(() => grantLease(context, 0, ttl).id),
    leaseRevoke: (id) =>
      answer(() => {
        lessor.revoke(id);
      }),
    leaseTimeToLive: (id) => answer(() => lessor.info(id)?.remainingTtl ?? -1),
    status: () =>
      answer(() => ({
        version: ETCD_VERSION,
        dbSizeBytes: dataSize(context.database).total,
        revision: store.revision,
      })),
    watch: (request, sink) => new DirectWatch(context.hub, request, sink),
    image: (leaves) => store.image(leaves),
    close: () => {
      if (closed) return;
      closed = true;
      context.hub.close();
      closeStore(context);
    },
  };
}

/** Runs an operation now; its answer waits for the commit of what it wrote or saw. */
function committed<T>({ commit }: ServerContext, run: () => T | Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject: (error: EtcdError) => void) => {
    try {
      const answer = run();
      commit.hold({
        release: () => {
          resolve(answer);
        },
        abandon: reject,
      });
    } catch (error) {
      reject(toEtcdError(error));
    }
  });
}

/** Bytes of the encoded request where they matter. */
function sizeOf<T>(type: MessageType<T>, request: T, values: number): number {
  return values < measureFromBytes ? values : encode(type, request, values + 1024).length;
}

function valueBytes({ failure, success }: TxnRequest): number {
  let total = 0;
  for (const { requestPut } of [...success, ...failure]) total += requestPut?.value.length ?? 0;
  return total;
}
