import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { serviceCIDRStrategy, serviceCIDRStatusStrategy } from './strategy.ts';

/** Serves servicecidrs with status. */
export const serviceCIDRStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'networking.k8s.io', plural: 'servicecidrs', strategy: serviceCIDRStrategy });
  return [
    ['servicecidrs', store],
    ['servicecidrs/status', createStatusStorage(store, serviceCIDRStatusStrategy)],
  ];
};
