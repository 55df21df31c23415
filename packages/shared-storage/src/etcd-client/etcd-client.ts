import type { EtcdError } from './etcd-error.ts';

const emptyValue = Buffer.alloc(0);

/** One stored key. Revisions are exact numbers; lease ids need 64 bits. */
export class KeyValue {
  key = '';
  createRevision = 0;
  modRevision = 0;
  version = 0;
  /** A view into the received message: copy it to keep it. */
  value: Buffer = emptyValue;
  /** 0n = no lease. */
  lease = 0n;
}

/** How long a call may take. */
export interface CallOptions {
  /** Overrides the client's request timeout. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads one key, or those from `key` up to `rangeEnd`, which is not one of them. */
export interface RangeRequest {
  readonly key: string;
  /** Exclusive end; absent = just `key`. */
  readonly rangeEnd?: string;
  /** 0 = no limit. */
  readonly limit?: number;
  /** 0 = latest. */
  readonly revision?: number;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
  /** Answered by the member that is asked, perhaps stale. */
  readonly serializable?: boolean;
}
/** What a read found, and the store's revision at that time. */
export interface RangeResponse {
  /** The store's revision when it answered. */
  readonly revision: number;
  readonly kvs: KeyValue[];
  /** More keys than `limit` are in the range. */
  readonly more: boolean;
  /** Keys in the range, whatever the limit. */
  readonly count: number;
}

/** Writes one key. */
export interface PutRequest {
  readonly key: string;
  readonly value: Uint8Array;
  /** 0n or absent = none. */
  readonly lease?: bigint;
  /** The key, which must exist, stays attached to the lease that it has. */
  readonly keepLease?: boolean;
}
/** Deletes one key, or those from `key` up to `rangeEnd`, which is not one of them. */
export interface DeleteRequest {
  readonly key: string;
  readonly rangeEnd?: string;
  readonly prevKv?: boolean;
}

/** Equality on one property of a key; `modRevision: 0` = the key does not exist. */
export type Compare =
  | { readonly key: string; readonly modRevision: number }
  | { readonly key: string; readonly version: number };

/** One step of a transaction. */
export type TxnOperation =
  | { readonly kind: 'range'; readonly request: RangeRequest }
  | { readonly kind: 'put'; readonly request: PutRequest }
  | { readonly kind: 'delete'; readonly request: DeleteRequest };

/** `success` is done when all comparisons hold, `failure` otherwise; nothing comes in between. */
export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly TxnOperation[];
  readonly failure: readonly TxnOperation[];
}
/** Which of the two was done, and what its steps answered, in their order. */
export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** Key-values of each operation in order: found, or deleted with `prevKv`. */
  readonly responses: KeyValue[][];
}

/** A change as etcd tells it. */
export class EtcdEvent {
  deleted = false;
  /** For a deletion only key and modRevision (the deletion's). */
  kv: KeyValue = noKeyValue;
  /** Undefined for a creation, or when the previous value is compacted. */
  previous: KeyValue | undefined = undefined;
}

const noKeyValue = new KeyValue();

/** What is watched, and from which revision on. */
export interface EtcdWatchRequest {
  readonly key: string;
  readonly rangeEnd?: string;
  /** First revision wanted. 0 = from now. */
  readonly startRevision: number;
  /** etcd sends its revision when nothing has happened for a while (its own interval, 10 minutes by default). */
  readonly progressNotify?: boolean;
  readonly prevKv?: boolean;
}

/** Receives a watch, in order and never concurrently. */
export interface EtcdWatchSink {
  /** The watch is registered; `revision` is the store's at that moment. */
  created(revision: number): void;
  /** All changes of one or more whole revisions; `revision` is the store's. Fragments have been joined. */
  events(events: readonly EtcdEvent[], revision: number): void;
  /** Every event up to `revision` has been delivered. */
  progress(revision: number): void;
  /** Exactly once, last. Undefined after `cancel()`. Never re-subscribed: that is the caller's decision. */
  end(error: EtcdError | undefined): void;
}

/** A watch that has begun; ends with `end` of its sink. */
export interface EtcdWatch {
  cancel(): void;
  /** Asks for `progress`. Without effect once ended. */
  requestProgress(): void;
  /**
   * Stops reading: flow control makes etcd keep the events. At most what is on its way still arrives.
   */
  pause(): void;
  resume(): void;
}

/** What a member of the cluster says of itself. */
export interface EtcdStatus {
  readonly version: string;
  readonly dbSizeBytes: number;
  /** Revision of the answering member. */
  readonly revision: number;
}

/**
 * What the storage needs from etcd, and no more: the seam for recorders and faults in tests.
 *
 * Every call is bounded by a timeout and rejects with EtcdError. Reads are repeated on another endpoint when one
 * fails; writes only when they certainly were not sent.
 */
export interface EtcdClient {
  range(request: RangeRequest, options?: CallOptions): Promise<RangeResponse>;
  put(request: PutRequest, options?: CallOptions): Promise<{ readonly revision: number }>;
  delete(
    request: DeleteRequest,
    options?: CallOptions,
  ): Promise<{ readonly revision: number; readonly deleted: number }>;
  txn(request: TxnRequest, options?: CallOptions): Promise<TxnResponse>;
  compact(revision: number, options?: CallOptions): Promise<void>;
  /** Resolves to the lease's id. */
  leaseGrant(ttlSeconds: number, options?: CallOptions): Promise<bigint>;
  leaseRevoke(id: bigint, options?: CallOptions): Promise<void>;
  /** Seconds left, -1 when the lease is gone. */
  leaseTimeToLive(id: bigint, options?: CallOptions): Promise<number>;
  status(options?: CallOptions): Promise<EtcdStatus>;
  /** Never throws: failures come through `sink.end`. */
  watch(request: EtcdWatchRequest, sink: EtcdWatchSink): EtcdWatch;
  /** Cancels watches and closes connections. */
  close(): Promise<void>;
}
