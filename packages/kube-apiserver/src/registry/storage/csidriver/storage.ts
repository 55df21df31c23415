import type { StorageProvider } from '../../storage-provider.ts';
import { csiDriverStrategy } from './strategy.ts';

/** Serves csidrivers. */
export const csiDriverStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'storage.k8s.io',
    plural: 'csidrivers',
    strategy: csiDriverStrategy,
    returnDeletedObject: true,
  });
  return [['csidrivers', store]];
};
