import { Etcd3Store } from '../etcd3/store.ts';
import type { StoreMetrics } from '../etcd3/store-metrics.ts';
import type { StorageInterface } from '../storage/interfaces.ts';
import type { StorageResourceConfig } from '../storage/rest-options.ts';
import type { StorageFactory } from './storage-factory.ts';

/** Storage of a resource straight on etcd (generic.UndecoratedStorage). */
export function undecoratedStorage(
  factory: StorageFactory,
  config: StorageResourceConfig,
  observe: { readonly metrics?: StoreMetrics | undefined; readonly onClose?: () => void } = {},
): StorageInterface {
  const { client, compactedRevision, leases, keyRoot, resourcePrefix, transformer, unsafeDeletion } = factory.configFor(
    config.groupResource,
    config.resourcePrefix,
  );
  return new Etcd3Store({
    client,
    leases,
    keyRoot,
    resourcePrefix,
    transformer,
    unsafeDeletion,
    compactedRevision,
    codec: config.codec,
    groupResource: config.groupResource,
    ...observe,
  });
}
