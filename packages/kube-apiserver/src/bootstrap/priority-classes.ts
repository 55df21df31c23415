import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';

/** Priority classes of the system's own pods (pkg/apis/scheduling/v1/helpers.go, 1.36). */
export const systemPriorityClasses: readonly (KubeObject & { metadata: ObjectMeta })[] = [
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    preemptionPolicy: 'PreemptLowerPriority',
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    preemptionPolicy: 'PreemptLowerPriority',
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];
