import type { StorageProvider } from '../../storage-provider.ts';
import { endpointsStrategy } from './strategy.ts';

/** Serves endpoints. */
export const endpointsStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'endpoints',
    strategy: endpointsStrategy,
    deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  });
  return [['endpoints', store]];
};
