import type { StorageProvider } from '../../storage-provider.ts';
import { configMapStrategy } from './strategy.ts';

/** Serves configmaps. */
export const configMapStorage: StorageProvider = (context) => {
  const store = context.store({ group: '', plural: 'configmaps', strategy: configMapStrategy });
  return [['configmaps', store]];
};
