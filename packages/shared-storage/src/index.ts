/** Entry point `@kubechain/shared-storage`: storages as resources see them. Who opens them: `factory`. */
export type {
  DeleteOptions,
  GetOptions,
  ReadSource,
  GuaranteedUpdateOptions,
  ListOptions,
  ListResult,
  ObjectAttributes,
  ObjectRecord,
  Preconditions,
  ResourceCodec,
  ResourceVersionMatch,
  SelectionPredicate,
  ShardSelector,
  StorageInterface,
  UpdateFunction,
  UpdateInput,
  UpdateOutput,
  Watch,
  WatchEvent,
  WatchOptions,
  WatchSink,
} from './storage/interfaces.ts';
export type { InformerEnds } from './storage/informer-ends.ts';
export { Reflector } from './reflector/reflector.ts';
export type { WatchEnd } from './storage/watch-end.ts';
export { describeCorrupt, undecodable } from './etcd3/corrupt-objects.ts';
export { StorageError, isStorageError, keyError } from './storage/errors.ts';
export type { StorageErrorCode, StorageErrorOf } from './storage/errors.ts';
export type { RESTOptions, RESTOptionsGetter, StorageResourceConfig } from './storage/rest-options.ts';
export { createResourceCodec } from './storage/codec.ts';
export type { ResourceCodecHooks } from './storage/codec.ts';
export { JSONRecord, parseJSONObject } from './storage/json-record.ts';
export { prefixRangeEnd } from './etcd-client/prefix-range.ts';
export { selects } from './storage/selects.ts';
export { parseBareResourceVersion } from './storage/resource-version.ts';
export { ownBytes } from './storage/own-bytes.ts';
export { checkPreconditions } from './storage/preconditions.ts';
export { recordedMetadata, recordedUID } from './storage/record-metadata.ts';
export { watchFrame, watchFrameStatistics } from './cacher/watch-frame.ts';
export type { ReadOnce } from './storage/shared-records.ts';
export { SharedRecords } from './storage/shared-records.ts';
