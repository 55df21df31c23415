/**
 * Entry point `@kubechain/shared-storage/factory`: for processes that open storages: factory, caches, encryption,
 * flags.
 */
export { Cacher } from '../cacher/cacher.ts';
export { StoreMetricSet } from '../etcd3/store-metric-set.ts';
export { Etcd3Store } from '../etcd3/store.ts';
export { EncryptionConfigurationError } from '../value/encryption-configuration-error.ts';
export type { EncryptionFile, EncryptionFileOptions } from '../value/encryption-file.ts';
export { EncryptionMetrics } from '../value/encryption-metrics.ts';
export { EncryptionReloader } from '../value/encryption-reloader.ts';
export { loadEncryptionFile } from '../value/load-encryption-file.ts';
export type { ValueTransformer } from '../value/transformer.ts';
export { CacherSet } from './cacher-set.ts';
export type { CacherSetOptions } from './cacher-set.ts';
export type { CacheExtent } from '../cacher/cacher-description.ts';
export { ObjectCounts } from './object-counts.ts';
export type { ResourceCount } from './object-counts.ts';
export { createRESTOptionsGetter } from './rest-options-getter.ts';
export { StorageFactory } from './storage-factory.ts';
export type { StorageFactoryOptions } from './storage-factory.ts';
export { StorageFlagError, parseEtcdServersOverrides, parseWatchCacheSizes } from './storage-flags.ts';
export { registerStorageSizes } from './storage-sizes.ts';
