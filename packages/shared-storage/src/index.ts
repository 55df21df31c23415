export type {
  DeleteOptions,
  GetOptions,
  GuaranteedUpdateOptions,
  ListOptions,
  ListResult,
  ObjectAttributes,
  ObjectRecord,
  Preconditions,
  ResourceCodec,
  ResourceVersionMatch,
  SelectionPredicate,
  StorageInterface,
  UpdateFunction,
  UpdateInput,
  UpdateOutput,
  Watch,
  WatchEvent,
  WatchOptions,
  WatchSink,
} from './storage/interfaces.ts';
export { InformerMetrics } from './metrics/informer-metrics.ts';
export type { InformerEnds } from './storage/informer-ends.ts';
export { Reflector } from './reflector/reflector.ts';
export type { ReflectorOptions, ReflectorPauses, ReflectorTarget } from './reflector/reflector.ts';
export { stoppedBy } from './storage/watch-end.ts';
export type { WatchEnd } from './storage/watch-end.ts';
export { StorageError, isStorageError } from './storage/errors.ts';
export type { StorageErrorCode, StorageErrorOf, UnreadableObject } from './storage/errors.ts';
export type {
  RESTOptions,
  RESTOptionsGetter,
  StorageDecorator,
  StorageResourceConfig,
} from './storage/rest-options.ts';
export { createRESTOptionsGetter } from './factory/rest-options-getter.ts';
export { ObjectCounts } from './factory/object-counts.ts';
export type { ResourceCount } from './factory/object-counts.ts';
export { registerStorageSizes } from './factory/storage-sizes.ts';
export type { CacheStorage, RESTOptionsGetterOptions } from './factory/rest-options-getter.ts';
export { StorageFactory, groupResourceName } from './factory/storage-factory.ts';
export type { ServerOverride, StorageConfig, StorageFactoryOptions } from './factory/storage-factory.ts';
export { undecoratedStorage } from './factory/undecorated-storage.ts';
export { createResourceCodec } from './storage/codec.ts';
export type { ResourceCodecHooks } from './storage/codec.ts';
export { codecCounters } from './storage/codec-counters.ts';
export { JSONRecord, parseJSONObject } from './storage/json-record.ts';
export { ownBytes } from './storage/own-bytes.ts';
export { keyError } from './storage/errors.ts';
export { checkPreconditions } from './storage/preconditions.ts';
export { Etcd3Store } from './etcd3/store.ts';
export type { Etcd3StoreOptions } from './etcd3/store.ts';
export type { EtcdOperation, StoreMetrics } from './etcd3/store-metrics.ts';
export { createEtcdClient } from './etcd-client/etcd3-client.ts';
export type { EtcdClientOptions } from './etcd-client/etcd3-client.ts';
export type { EtcdTls, EtcdTlsSource } from './etcd-client/endpoint.ts';
export { EtcdEvent, KeyValue } from './etcd-client/etcd-client.ts';
export type {
  CallOptions,
  Compare,
  DeleteRequest,
  EtcdClient,
  EtcdStatus,
  EtcdWatch,
  EtcdWatchRequest,
  EtcdWatchSink,
  PutRequest,
  RangeRequest,
  RangeResponse,
  TxnOperation,
  TxnRequest,
  TxnResponse,
} from './etcd-client/etcd-client.ts';
export { EtcdError, errorFromGrpcStatus, isEtcdError } from './etcd-client/etcd-error.ts';
export type { EtcdErrorCode } from './etcd-client/etcd-error.ts';
export { LeaseBucket } from './etcd3/lease-bucket.ts';
export type { Untransformed, ValueTransformer } from './value/transformer.ts';
export { Cacher } from './cacher/cacher.ts';
export type { CacherErrorContext, CacherOptions } from './cacher/cacher.ts';
export type { CacherDescription } from './cacher/cacher-description.ts';
export { SharedRevision } from './cacher/shared-revision.ts';
export { watchFrame, watchFrameStatistics } from './cacher/watch-frame.ts';
export type { ObjectWatchEvent } from './cacher/watch-frame.ts';
export { decodeContinue, encodeContinue } from './storage/continue-token.ts';
export type { ContinuePosition } from './storage/continue-token.ts';
export { parseResourceVersion } from './storage/resource-version.ts';
export { CacherSet } from './factory/cacher-set.ts';
export type { CacherSetOptions } from './factory/cacher-set.ts';
export type { CheckedObject, ConsistencyResult } from './cacher/consistency-checker.ts';
export { loadEncryptionFile } from './value/load-encryption-file.ts';
export type { EncryptionFile, EncryptionFileOptions } from './value/encryption-file.ts';
export { EncryptionConfigurationError } from './value/encryption-configuration-error.ts';
export { StorageFlagError, parseEtcdServersOverrides, parseWatchCacheSizes } from './factory/storage-flags.ts';
export { StoreMetricSet } from './etcd3/store-metric-set.ts';
export { MetricRegistry } from './metrics/metric-registry.ts';
export { EncryptionReloader } from './value/encryption-reloader.ts';
export type { EncryptionReloaderOptions } from './value/encryption-reloader.ts';
export { EncryptionMetrics } from './value/encryption-metrics.ts';
export type { RegisteredMetric } from './metrics/metric-registry.ts';
export { histogramSamples } from './metrics/metric-family.ts';
export type { HistogramFamily, ValueFamily } from './metrics/metric-family.ts';
export type { MetricDescription, MetricSample } from './metrics/metric-family.ts';
export { HistogramCell } from './metrics/histogram-cell.ts';
export { restoreSnapshot, takeSnapshot } from './snapshot/snapshot.ts';
export type { RestoreResult, Snapshot, SnapshotKey } from './snapshot/snapshot.ts';
export { readSnapshot, SnapshotFileError, snapshotText } from './snapshot/snapshot-file.ts';
export { Compactor, compactRevisionKey } from './etcd3/compactor.ts';
export type { CompactorOptions } from './etcd3/compactor.ts';
