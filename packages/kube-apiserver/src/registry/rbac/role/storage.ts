import { guardRoles } from '@kubechain/apiserver';
import { escalationGuard } from '../escalation-guard.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { roleStrategy } from './strategy.ts';

/** Serves roles. */
export const roleStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'rbac.authorization.k8s.io', plural: 'roles', strategy: roleStrategy });
  return [['roles', guardRoles(store, 'roles', escalationGuard(context))]];
};
