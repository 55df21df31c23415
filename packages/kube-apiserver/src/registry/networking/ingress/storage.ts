import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { ingressStrategy, ingressStatusStrategy } from './strategy.ts';

/** Serves ingresses with status. */
export const ingressStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'networking.k8s.io', plural: 'ingresses', strategy: ingressStrategy });
  return [
    ['ingresses', store],
    ['ingresses/status', createStatusStorage(store, ingressStatusStrategy)],
  ];
};
