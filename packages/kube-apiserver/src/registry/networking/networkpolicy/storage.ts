import type { StorageProvider } from '../../storage-provider.ts';
import { networkPolicyStrategy } from './strategy.ts';

/** Serves networkpolicies. */
export const networkPolicyStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    strategy: networkPolicyStrategy,
  });
  return [['networkpolicies', store]];
};
