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
export type { WatchEnd } from './storage/watch-end.ts';
export { StorageError, isStorageError } from './storage/errors.ts';
export type { StorageErrorCode, StorageErrorOf } from './storage/errors.ts';
export type { RESTOptions, RESTOptionsGetter, StorageResourceConfig } from './storage/rest-options.ts';
export { createRESTOptionsGetter } from './factory/rest-options-getter.ts';
export { ObjectCounts } from './factory/object-counts.ts';
export type { ResourceCount } from './factory/object-counts.ts';
export { registerStorageSizes } from './factory/storage-sizes.ts';
export { StorageFactory, groupResourceName } from './factory/storage-factory.ts';
export type { StorageFactoryOptions } from './factory/storage-factory.ts';
export { createResourceCodec } from './storage/codec.ts';
export type { ResourceCodecHooks } from './storage/codec.ts';
export { JSONRecord, parseJSONObject } from './storage/json-record.ts';
export { ownBytes } from './storage/own-bytes.ts';
export { checkPreconditions } from './storage/preconditions.ts';
export { Etcd3Store } from './etcd3/store.ts';
export { createEtcdClient } from './etcd-client/etcd3-client.ts';
export type { EtcdTlsSource } from './etcd-client/endpoint.ts';
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
export type { ValueTransformer } from './value/transformer.ts';
export { Cacher } from './cacher/cacher.ts';
export { watchFrame, watchFrameStatistics } from './cacher/watch-frame.ts';
export { CacherSet } from './factory/cacher-set.ts';
export type { CacherSetOptions } from './factory/cacher-set.ts';
export { loadEncryptionFile } from './value/load-encryption-file.ts';
export type { EncryptionFile } from './value/encryption-file.ts';
export { EncryptionConfigurationError } from './value/encryption-configuration-error.ts';
export { StorageFlagError, parseEtcdServersOverrides, parseWatchCacheSizes } from './factory/storage-flags.ts';
export { StoreMetricSet } from './etcd3/store-metric-set.ts';
export { MetricRegistry } from './metrics/metric-registry.ts';
export { EncryptionReloader } from './value/encryption-reloader.ts';
export { EncryptionMetrics } from './value/encryption-metrics.ts';
export type { RegisteredMetric } from './metrics/metric-registry.ts';
export { histogramSamples } from './metrics/metric-family.ts';
export type { HistogramFamily, ValueFamily } from './metrics/metric-family.ts';
export type { MetricSample } from './metrics/metric-family.ts';
export { HistogramCell } from './metrics/histogram-cell.ts';
export { restoreSnapshot, takeSnapshot } from './snapshot/snapshot.ts';
export type { RestoreResult, Snapshot } from './snapshot/snapshot.ts';
export { readSnapshot, SnapshotFileError, snapshotText } from './snapshot/snapshot-file.ts';
