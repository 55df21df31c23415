/** A resource of a removed version: the same objects as one of today. */
export interface LegacyResource {
  readonly plural: string;
  /** The group that has it today; the version's own group where that is the same. */
  readonly today: string;
  /** Subresources that today's has as well. */
  readonly subresources: readonly string[];
  /** Minor releases of Kubernetes 1 that deprecated it and were the first without it, and what came instead. */
  readonly end?: readonly [deprecated: number, removed: number, replacement: string];
}

/** A group version that 1.36 does not serve and `--legacy-apis` brings back. */
export interface LegacyVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly LegacyResource[];
}

const apps = 'apps';
const networking = 'networking.k8s.io';
const rbac = 'rbac.authorization.k8s.io';

/** Ends are those of the API types' lifecycle functions (zz_generated.prerelease-lifecycle.go of k8s.io/api). */
const workload = (
  [plural, kind]: readonly [plural: string, kind: string],
  deprecated: number,
  subresources: readonly string[],
): LegacyResource => ({ plural, today: apps, subresources, end: [deprecated, 16, `apps/v1 ${kind}`] });

const role = (plural: string, kind: string): LegacyResource => ({
  plural,
  today: rbac,
  subresources: [],
  end: [17, 22, `${rbac}/v1 ${kind}`],
});

const scaled = ['scale', 'status'];
const daemonSets = ['daemonsets', 'DaemonSet'] as const;
const deployments = ['deployments', 'Deployment'] as const;
const replicaSets = ['replicasets', 'ReplicaSet'] as const;
const statefulSets = ['statefulsets', 'StatefulSet'] as const;
const revisions = ['controllerrevisions', 'ControllerRevision'] as const;

/**
 * Every version that can be had back, with what the last release that served it listed (k8s.io/kubernetes 1.15 for
 * extensions and apps, 1.21 and 1.24 for the others).
 */
export const legacyVersions: readonly LegacyVersion[] = [
  {
    group: 'extensions',
    version: 'v1beta1',
    resources: [
      workload(daemonSets, 8, ['status']),
      workload(deployments, 8, scaled),
      workload(replicaSets, 8, scaled),
      { plural: 'ingresses', today: networking, subresources: ['status'], end: [14, 22, `${networking}/v1 Ingress`] },
      {
        plural: 'networkpolicies',
        today: networking,
        subresources: [],
        end: [9, 16, `${networking}/v1 NetworkPolicy`],
      },
    ],
  },
  {
    group: apps,
    version: 'v1beta2',
    resources: [
      workload(revisions, 9, []),
      workload(daemonSets, 9, ['status']),
      workload(deployments, 9, scaled),
      workload(replicaSets, 9, scaled),
      workload(statefulSets, 9, scaled),
    ],
  },
  {
    group: apps,
    version: 'v1beta1',
    resources: [workload(revisions, 8, []), workload(deployments, 8, scaled), workload(statefulSets, 8, scaled)],
  },
  {
    group: 'policy',
    version: 'v1beta1',
    resources: [
      {
        plural: 'poddisruptionbudgets',
        today: 'policy',
        subresources: ['status'],
        end: [21, 25, 'policy/v1 PodDisruptionBudget'],
      },
    ],
  },
  {
    group: 'batch',
    version: 'v1beta1',
    resources: [{ plural: 'cronjobs', today: 'batch', subresources: ['status'], end: [21, 25, 'batch/v1 CronJob'] }],
  },
  {
    group: networking,
    version: 'v1beta1',
    resources: [
      {
        plural: 'ingressclasses',
        today: networking,
        subresources: [],
        end: [19, 22, `${networking}/v1 IngressClassList`],
      },
      { plural: 'ingresses', today: networking, subresources: ['status'], end: [19, 22, `${networking}/v1 Ingress`] },
    ],
  },
  {
    group: rbac,
    version: 'v1beta1',
    resources: [
      role('clusterrolebindings', 'ClusterRoleBinding'),
      role('clusterroles', 'ClusterRole'),
      role('rolebindings', 'RoleBinding'),
      role('roles', 'Role'),
    ],
  },
  {
    group: 'settings.k8s.io',
    version: 'v1alpha1',
    resources: [{ plural: 'podpresets', today: 'settings.k8s.io', subresources: [] }],
  },
];

/** `group/version` of each. */
export const legacyNames: readonly string[] = legacyVersions.map(({ group, version }) => `${group}/${version}`);
