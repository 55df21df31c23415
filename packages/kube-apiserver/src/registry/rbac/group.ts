import type { GroupProvider } from '../resource.ts';
import { clusterRoleBindingResource } from './clusterrolebinding/resource.ts';
import { clusterRoleResource } from './clusterrole/resource.ts';
import { roleBindingResource } from './rolebinding/resource.ts';
import { roleResource } from './role/resource.ts';

/** The rbac.authorization.k8s.io group. */
export const rbacGroup: GroupProvider = {
  group: 'rbac.authorization.k8s.io',
  resources: [clusterRoleBindingResource, clusterRoleResource, roleBindingResource, roleResource],
};
