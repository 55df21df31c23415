import type { Authorizer, RoleStorages } from '@kubechain/apiserver/resources';
import type { RegistryContext } from '../storage-provider.ts';

/** What the RBAC endpoints check grants against: nobody gives away more than they have. */
export function escalationGuard({ authorizer, storeOf }: Pick<RegistryContext, 'authorizer' | 'storeOf'>): {
  readonly authorizer: Authorizer;
  readonly roles: () => RoleStorages;
} {
  const group = 'rbac.authorization.k8s.io';
  return {
    authorizer,
    roles: () => ({
      clusterRoles: storeOf(group, 'clusterroles'),
      roles: storeOf(group, 'roles'),
      clusterRoleBindings: storeOf(group, 'clusterrolebindings'),
      roleBindings: storeOf(group, 'rolebindings'),
    }),
  };
}
