import { guardRoles } from '@kubechain/apiserver';
import { escalationGuard } from '../escalation-guard.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { clusterRoleStrategy } from './strategy.ts';

/** Serves clusterroles. */
export const clusterRoleStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'rbac.authorization.k8s.io',
    plural: 'clusterroles',
    strategy: clusterRoleStrategy,
  });
  return [['clusterroles', guardRoles(store, 'clusterroles', escalationGuard(context))]];
};
