import { guardBindings } from '@kubechain/apiserver';
import { escalationGuard } from '../escalation-guard.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { roleBindingStrategy } from './strategy.ts';

/** Serves rolebindings. */
export const roleBindingStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'rbac.authorization.k8s.io',
    plural: 'rolebindings',
    strategy: roleBindingStrategy,
  });
  return [['rolebindings', guardBindings(store, 'rolebindings', escalationGuard(context))]];
};
