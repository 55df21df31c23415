import type { StorageProvider } from '../../storage-provider.ts';
import { csiStorageCapacityStrategy } from './strategy.ts';

/** Serves csistoragecapacities. */
export const csiStorageCapacityStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'storage.k8s.io',
    plural: 'csistoragecapacities',
    strategy: csiStorageCapacityStrategy,
  });
  return [['csistoragecapacities', store]];
};
