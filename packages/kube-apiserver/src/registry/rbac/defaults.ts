import type { ClusterRoleBinding, RoleBinding } from '@kubechain/apimachinery/types/rbac/v1';

const rbacGroup = 'rbac.authorization.k8s.io';

/** Defaults of both kinds of bindings: roles, users and groups are RBAC's own (pkg/apis/rbac/v1, 1.36). */
export function defaultBinding(binding: RoleBinding | ClusterRoleBinding): void {
  if (binding.roleRef !== undefined) binding.roleRef.apiGroup ||= rbacGroup;
  else binding.roleRef = { apiGroup: rbacGroup, kind: '', name: '' };
  for (const subject of binding.subjects ?? [])
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= rbacGroup;
}
