import type { StorageProvider } from '../../storage-provider.ts';
import { storageClassStrategy } from './strategy.ts';

/** Serves storageclasses. */
export const storageClassStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'storage.k8s.io',
    plural: 'storageclasses',
    strategy: storageClassStrategy,
    returnDeletedObject: true,
  });
  return [['storageclasses', store]];
};
