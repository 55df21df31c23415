import type { StorageProvider } from '../../storage-provider.ts';
import { endpointsStrategy } from './strategy.ts';

/** Serves endpoints. */
export const endpointsStorage: StorageProvider = (context) => {
  const store = context.store({ group: '', plural: 'endpoints', strategy: endpointsStrategy });
  return [['endpoints', store]];
};
