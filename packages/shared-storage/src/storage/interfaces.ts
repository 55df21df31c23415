import type { FieldSelector, KubeObject, LabelSelector } from '@kubechain/apimachinery';
import type { WatchEnd } from './watch-end.ts';

/**
 * One version of one object: decoded once, encoded once, immutable and shared by every reader.
 * `json` is the complete JSON in the resource's memory version with metadata.resourceVersion set;
 * GET sends it, LIST joins it, WATCH frames it.
 */
export interface ObjectRecord {
  /** Full storage key, prefix included. */
  readonly key: string;
  /** etcd mod revision. Exact: etcd revisions stay far below 2^53. */
  readonly revision: number;
  readonly json: Uint8Array;
  readonly attributes: ObjectAttributes;
  /** A private copy, parsed from `json` on each call: the caller may change it. */
  object(): KubeObject;
}

/** What predicates look at, read off once when the record was made. */
export interface ObjectAttributes {
  readonly name: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Selectable fields; metadata.name and metadata.namespace are always there. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Turns stored bytes into records and objects into stored bytes, for one resource. */
export interface ResourceCodec {
  /**
   * Stored value → record. Sets resourceVersion from `revision`.
   * @throws StorageError `CorruptObject` when the bytes cannot be decoded.
   */
  decode(key: string, value: Uint8Array, revision: number): ObjectRecord;
  /**
   * Object in memory version → bytes to store (no resourceVersion, storage version and media type). Deterministic:
   * equal objects give equal bytes.
   */
  encode(object: KubeObject): Uint8Array;
  /** Record of what was just written, from the object at hand; spares a decode. Absent: `decode` is used. */
  recordOf?(
    key: string,
    written: { readonly object: KubeObject; readonly value: Uint8Array; readonly revision: number },
  ): ObjectRecord;
  /** Whether encoding the record's object would give `value`. Absent: it is encoded and compared. */
  storesAs?(record: ObjectRecord, value: Uint8Array): boolean;
  /**
   * Bytes of JSON that reading has added to what is stored, such as defaults; 0 where they are few. Absent: none, to
   * any record.
   */
  addedBytes?(record: ObjectRecord): number;
}

/** A part of all objects, by hash. */
export interface ShardSelector {
  /** As it is told to clients: selectors of the same text select the same. */
  readonly text: string;
  matches(record: ObjectRecord): boolean;
}

/** Label and field selection plus what an index can use. */
export interface SelectionPredicate {
  /** Absent: objects of all shards. */
  readonly shard?: ShardSelector | undefined;
  readonly label: LabelSelector;
  readonly field: FieldSelector;
  /** True when everything matches: lists and watches skip the test. */
  readonly empty: boolean;
  matches(attributes: ObjectAttributes): boolean;
}

/** How a list's resourceVersion is meant (meta/v1 ResourceVersionMatch); '' where it is not said. */
export type ResourceVersionMatch = '' | 'Exact' | 'NotOlderThan';

/** Who has answered a read: a cache, or the store below it. */
export type ReadSource = 'cache' | 'store';

/** How one object is read. */
export interface GetOptions {
  /** '' = most recent; '0' = any; else at least as fresh as this. */
  readonly resourceVersion?: string;
  readonly ignoreNotFound?: boolean;
  /** Asks the store itself, also where a cache knows the object. */
  readonly uncached?: boolean;
  readonly signal?: AbortSignal;
  /** Told who answers; the last word counts, of a list page by page. */
  readonly answeredBy?: ((source: ReadSource) => void) | undefined;
}

/** Which objects are listed, and how old they may be. */
export interface ListOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  readonly predicate?: SelectionPredicate;
  /** 0 or absent = everything. */
  readonly limit?: number;
  /** Opaque token of the page before. */
  readonly continue?: string;
  /** False: `key` is the key of one object, listed alone. Default true: `key` is a prefix ending in '/'. */
  readonly recursive?: boolean;
  readonly signal?: AbortSignal;
  /** Told who answers; the last word counts, of a list page by page. */
  readonly answeredBy?: ((source: ReadSource) => void) | undefined;
}

/** One page of a list. */
export interface ListResult {
  /** In key order. */
  readonly items: readonly ObjectRecord[];
  readonly resourceVersion: string;
  /** '' when this was the last page. */
  readonly continue: string;
  /** Only with a limit, without selectors and when more remain. */
  readonly remainingItemCount?: number;
  /** What it is the shard of, where one was asked for. */
  readonly shard?: string;
  /** Of all items ({@link ResourceCodec.addedBytes}), from a store that has read them. Absent: none. */
  readonly addedBytes?: number;
}

/** What is watched, and from which resourceVersion on. */
export interface WatchOptions {
  /**
   * '' = from now with synthetic ADDED events of what is (legacy "get state and start"), '0' = the same from any state,
   * else events after it.
   */
  readonly resourceVersion?: string;
  readonly predicate?: SelectionPredicate;
  readonly recursive?: boolean;
  /**
   * WatchList: initial state as ADDED, then a bookmark annotated k8s.io/initial-events-end. undefined = legacy
   * behaviour.
   */
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  /** Milliseconds since the epoch when the server will end this watch; a bookmark is sent about 2 s before. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * A change as a watcher with a predicate sees it. `record` is the object after the change, for DELETED the last
 * state with the revision of the deletion. `previous` is set for MODIFIED and DELETED where it is known.
 */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly record: ObjectRecord; readonly previous?: ObjectRecord }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly error: Error };

/**
 * Hot-path receiver of a watch. `event` is called in order, never concurrently, and must not throw; it returns false
 * when its own buffer is full, after which the source keeps at most its bounded buffer, waits `drained`, or closes the
 * watch.
 * `end` is called exactly once, after the last event, and says why.
 */
export interface WatchSink {
  event(event: WatchEvent): boolean;
  end(reason: WatchEnd): void;
}

/** A watch that has begun. Its sink is told its end once, whoever has ended it. */
export interface Watch {
  /** Ends the watch: no event after it returns; `end` is still called. Idempotent. */
  stop(): void;
  /**
   * The sink can take more. Does nothing while nothing is held back. Events may come before the watch that they are of:
   * a sink that has refused one by then, and could take more, says so once it has the watch.
   */
  drained(): void;
}

/** What an object must be, or it is left alone: StorageError `InvalidObject`. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What `guaranteedUpdate` hands to its function: a private copy of the current object (or an empty one). */
export interface UpdateInput {
  readonly object: KubeObject | undefined;
  readonly record: ObjectRecord | undefined;
}
/** What is to be stored. */
export interface UpdateOutput {
  readonly object: KubeObject;
  /** Seconds; undefined keeps the TTL that the key has, 0 removes it. */
  readonly ttlSeconds?: number;
  /** True: differs from what is stored, which need not be looked for. */
  readonly isChanged?: boolean;
}
/** Makes the new object of the current one; may be called several times. */
export type UpdateFunction = (input: UpdateInput) => UpdateOutput | Promise<UpdateOutput>;

/** How an object is read, judged and written again. */
export interface GuaranteedUpdateOptions {
  readonly ignoreNotFound?: boolean;
  readonly preconditions?: Preconditions;
  /**
   * A possibly stale record to try first, saving a read; errors that it causes are believed only after a fresh read.
   */
  readonly cached?: ObjectRecord;
  /** Writes what is there already, too: its revision grows, and watchers are told. */
  readonly evenIfUnchanged?: boolean;
  /** Whether an object that was created like this and not updated since is written, though nothing of it changes. */
  readonly writesFirst?: (object: KubeObject) => boolean;
  readonly signal?: AbortSignal;
  /**
   * Awaited each time before an object with such JSON is decoded and handed to `update`; undefined: go on. What it
   * rejects with ends the update.
   */
  readonly turn?: (json: Uint8Array) => Promise<void> | undefined;
}

/** What must hold of an object that is deleted. */
export interface DeleteOptions {
  readonly preconditions?: Preconditions;
  /** Runs on the record about to be deleted; throwing stops the deletion. */
  readonly validate?: (record: ObjectRecord) => void | Promise<void>;
  readonly cached?: ObjectRecord;
  /** Deletes an object that cannot be decoded, without looking at it. */
  readonly ignoreStoreReadError?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * storage.Interface of k8s.io/apiserver/pkg/storage: one resource's objects under one prefix. Keys are full storage
 * keys (`RESTOptions.keyRoot` + `/ns/name`); a key outside the root is refused with `Internal`.
 */
export interface StorageInterface {
  /**
   * What a reader would be given if the object were written, without writing it; leaves its argument. undefined, and
   * not there, where that is the same object: it is not of kinds that are served in other versions than the stored one.
   */
  asRead?(object: KubeObject): Promise<KubeObject> | undefined;
  /** Creates; the key must not exist. @throws StorageError `KeyExists` */
  create(
    key: string,
    object: KubeObject,
    options?: { readonly ttlSeconds?: number; readonly signal?: AbortSignal },
  ): Promise<ObjectRecord>;
  /**
   * @throws StorageError `KeyNotFound`, `InvalidObject` (precondition) — resolves to the deleted record with the
   * deletion's revision.
   */
  delete(key: string, options?: DeleteOptions): Promise<ObjectRecord>;
  get(key: string, options?: GetOptions): Promise<ObjectRecord | undefined>;
  getList(key: string, options?: ListOptions): Promise<ListResult>;
  /**
   * Events may reach the sink before the promise settles. Resolves once the watch is established (or its start revision
   * is known to be gone: rejects `ResourceExpired`/`TooLargeResourceVersion`).
   */
  watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch>;
  /**
   * Retries `update` until its compare-and-swap wins. If the encoded bytes do not change, nothing is written. @throws
   * StorageError `KeyNotFound`, `InvalidObject`
   */
  guaranteedUpdate(key: string, update: UpdateFunction, options?: GuaranteedUpdateOptions): Promise<ObjectRecord>;
  /** Number of keys under the prefix (may be a little stale through a cache). */
  count(key: string, options?: { readonly signal?: AbortSignal }): Promise<number>;
  /**
   * About how many bytes the objects take in the store; undefined while nothing is known of them. Absent: never known.
   */
  sizeEstimateBytes?(): number | undefined;
  /** A revision that the store had after the call began. */
  currentRevision(options?: { readonly signal?: AbortSignal }): Promise<number>;
  /**
   * Highest revision that the store is known to have compacted, 0 when none is; older states and events are gone.
   * Absent: not known.
   */
  compactedRevision?(): number;
  /** Asks for a progress notification on the watch stream. Without effect where `supportsWatchProgress` is false. */
  requestWatchProgress(): Promise<void>;
  /**
   * Whether progress can be asked for: an old etcd may tell a revision before it has delivered all events up to it, so
   * it is not asked, and a cache cannot know how far it is. Absent: yes. Never rejects.
   */
  supportsWatchProgress?(): Promise<boolean>;
  /** Resolves when ready; rejects `NotReady` with the reason. Never waits. */
  readinessCheck(): Promise<void>;
  /** Stops watches and background work; resolves when all is quiet. */
  close(): Promise<void>;
}
