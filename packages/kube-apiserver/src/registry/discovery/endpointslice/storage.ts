import type { StorageProvider } from '../../storage-provider.ts';
import { endpointSliceStrategy } from './strategy.ts';

/** Serves endpointslices. */
export const endpointSliceStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'discovery.k8s.io', plural: 'endpointslices', strategy: endpointSliceStrategy });
  return [['endpointslices', store]];
};
