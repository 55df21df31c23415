import type { RoleBindingObject, RoleObject } from '../rbac-objects.ts';
import type { BootstrapPolicy } from './bootstrap-policy.ts';

const metadata = (name: string): RoleObject['metadata'] => ({
  name,
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
});
const migrator = 'system:controller:storage-version-migrator-controller';

/** Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go, 1.36. */
const migratorRole: RoleObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: metadata(migrator),
  rules: [
    { apiGroups: ['*'], resources: ['*'], verbs: ['create', 'list', 'patch'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions/status'], verbs: ['patch'] },
    { apiGroups: ['storagemigration.k8s.io'], resources: ['storageversionmigrations/status'], verbs: ['update'] },
  ],
};

const migratorBinding: RoleBindingObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: metadata(migrator),
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: migrator },
  subjects: [{ kind: 'ServiceAccount', name: 'storage-version-migrator-controller', namespace: 'kube-system' }],
};

/** A release's roles with those that wait for feature gates, where it does not have them anyway. */
export function withGatedRoles(
  policy: BootstrapPolicy,
  isOn: (gate: 'StorageVersionMigrator') => boolean,
): BootstrapPolicy {
  if (!isOn('StorageVersionMigrator') || policy.clusterRoles.some(({ metadata: { name } }) => name === migrator))
    return policy;
  return {
    ...policy,
    clusterRoles: [...policy.clusterRoles, migratorRole],
    clusterRoleBindings: [...policy.clusterRoleBindings, migratorBinding],
  };
}
