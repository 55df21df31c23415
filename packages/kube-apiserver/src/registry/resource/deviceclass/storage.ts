import type { StorageProvider } from '../../storage-provider.ts';
import { deviceClassStrategy } from './strategy.ts';

/** Serves deviceclasses. */
export const deviceClassStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'resource.k8s.io',
    plural: 'deviceclasses',
    strategy: deviceClassStrategy,
    returnDeletedObject: true,
  });
  return [['deviceclasses', store]];
};
