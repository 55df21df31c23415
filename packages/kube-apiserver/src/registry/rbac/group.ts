import type { GroupProvider } from '../storage-provider.ts';
import { clusterRoleBindingStorage } from './clusterrolebinding/storage.ts';
import { clusterRoleStorage } from './clusterrole/storage.ts';
import { roleBindingStorage } from './rolebinding/storage.ts';
import { roleStorage } from './role/storage.ts';

/** The rbac.authorization.k8s.io group. */
export const rbacGroup: GroupProvider = {
  group: 'rbac.authorization.k8s.io',
  resources: [clusterRoleBindingStorage, clusterRoleStorage, roleBindingStorage, roleStorage],
};
