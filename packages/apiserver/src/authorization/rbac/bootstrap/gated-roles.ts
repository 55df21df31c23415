import type { ReleaseAge } from '@kubechain/apimachinery';
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

type RoleGate = 'CompositePodGroup' | 'EvictionRequestAPI' | 'GenericWorkload' | 'StorageVersionMigrator';

/** What users of a namespace may do with what a feature brought: to see it and to change it. */
interface GatedRules {
  readonly gate: RoleGate;
  /** The first release that gives these rights. */
  readonly since: string;
  readonly group: string;
  readonly seen: string[];
  readonly changed: string[];
}

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/** Source: viewRules and editRules of plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, 1.34 to 1.37. */
const gatedRules: readonly GatedRules[] = [
  {
    gate: 'GenericWorkload',
    since: '1.36',
    group: 'scheduling.k8s.io',
    seen: ['podgroups', 'podgroups/status', 'workloads'],
    changed: ['podgroups', 'workloads'],
  },
  {
    gate: 'CompositePodGroup',
    since: '1.37',
    group: 'scheduling.k8s.io',
    seen: ['compositepodgroups', 'compositepodgroups/status'],
    changed: ['compositepodgroups'],
  },
  // Evictions are the controller's to change.
  {
    gate: 'EvictionRequestAPI',
    since: '1.37',
    group: 'lifecycle.k8s.io',
    seen: ['evictionrequests', 'evictions'],
    changed: ['evictionrequests'],
  },
];

/** A release's roles with those, and with the rules in them, that wait for feature gates and are not there anyway. */
export function withGatedRoles(
  policy: BootstrapPolicy,
  isOn: (gate: RoleGate) => boolean,
  release: ReleaseAge,
): BootstrapPolicy {
  return withMigrator(
    withRules(
      policy,
      gatedRules.filter(({ gate, since }) => release.since(since) && isOn(gate)),
    ),
    isOn,
  );
}

function withRules(policy: BootstrapPolicy, added: readonly GatedRules[]): BootstrapPolicy {
  if (added.length === 0) return policy;
  const more = new Map([
    [
      'system:aggregate-to-view',
      added.map(({ group, seen }) => ({ apiGroups: [group], resources: seen, verbs: read })),
    ],
    [
      'system:aggregate-to-edit',
      added.map(({ changed, group }) => ({ apiGroups: [group], resources: changed, verbs: write })),
    ],
  ]);
  const clusterRoles = policy.clusterRoles.map((role) => {
    const rules = more.get(role.metadata.name ?? '');
    return rules === undefined ? role : { ...role, rules: [...(role.rules ?? []), ...rules] };
  });
  return { ...policy, clusterRoles };
}

function withMigrator(policy: BootstrapPolicy, isOn: (gate: RoleGate) => boolean): BootstrapPolicy {
  if (!isOn('StorageVersionMigrator') || policy.clusterRoles.some(({ metadata: { name } }) => name === migrator))
    return policy;
  return {
    ...policy,
    clusterRoles: [...policy.clusterRoles, migratorRole],
    clusterRoleBindings: [...policy.clusterRoleBindings, migratorBinding],
  };
}
