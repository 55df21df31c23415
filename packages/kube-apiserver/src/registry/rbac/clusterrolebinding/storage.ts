import { guardBindings } from '@kubechain/apiserver';
import { escalationGuard } from '../escalation-guard.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { clusterRoleBindingStrategy } from './strategy.ts';

/** Serves clusterrolebindings. */
export const clusterRoleBindingStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'rbac.authorization.k8s.io',
    plural: 'clusterrolebindings',
    strategy: clusterRoleBindingStrategy,
  });
  return [['clusterrolebindings', guardBindings(store, 'clusterrolebindings', escalationGuard(context))]];
};
