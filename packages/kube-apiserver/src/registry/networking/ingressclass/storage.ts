import type { StorageProvider } from '../../storage-provider.ts';
import { ingressClassStrategy } from './strategy.ts';

/** Serves ingressclasses. */
export const ingressClassStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'networking.k8s.io', plural: 'ingressclasses', strategy: ingressClassStrategy });
  return [['ingressclasses', store]];
};
