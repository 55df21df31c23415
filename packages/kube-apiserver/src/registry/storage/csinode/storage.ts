import type { StorageProvider } from '../../storage-provider.ts';
import { csiNodeStrategy } from './strategy.ts';

/** Serves csinodes. */
export const csiNodeStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'storage.k8s.io',
    plural: 'csinodes',
    strategy: csiNodeStrategy,
    returnDeletedObject: true,
  });
  return [['csinodes', store]];
};
