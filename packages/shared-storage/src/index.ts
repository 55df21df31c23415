export type { DeleteOptions, GetOptions, GuaranteedUpdateOptions, ListOptions, ListResult, ObjectAttributes, ObjectRecord, Preconditions, ResourceCodec, ResourceVersionMatch, SelectionPredicate, StorageInterface, UpdateFunction, UpdateInput, UpdateOutput, Watch, WatchEvent, WatchOptions, WatchSink } from './storage/interfaces.ts';
export { StorageError, isStorageError } from './storage/errors.ts';
export type { StorageErrorCode } from './storage/errors.ts';
export type { RESTOptions, RESTOptionsGetter, StorageDecorator, StorageResourceConfig } from './factory/rest-options.ts';
