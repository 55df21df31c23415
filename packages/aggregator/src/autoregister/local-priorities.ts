/** Order of a local group version in discovery: higher first. */
export interface LocalPriority {
  readonly group: number;
  readonly version: number;
}

const table: readonly (readonly [groupVersion: string, group: number, version: number])[] = [
  ['v1', 18000, 1],
  ['apps/v1', 17800, 15],
  ['apps/v1beta2', 17800, 9],
  ['apps/v1beta1', 17800, 1],
  ['events.k8s.io/v1', 17750, 15],
  ['events.k8s.io/v1beta1', 17750, 5],
  ['authentication.k8s.io/v1', 17700, 15],
  ['authentication.k8s.io/v1beta1', 17700, 9],
  ['authentication.k8s.io/v1alpha1', 17700, 1],
  ['authorization.k8s.io/v1', 17600, 15],
  ['autoscaling/v2', 17500, 30],
  ['autoscaling/v1', 17500, 15],
  ['autoscaling/v2beta1', 17500, 9],
  ['autoscaling/v2beta2', 17500, 1],
  ['batch/v1', 17400, 15],
  ['batch/v2alpha1', 17400, 9],
  ['batch/v1beta1', 17400, 9],
  ['certificates.k8s.io/v1', 17300, 15],
  ['certificates.k8s.io/v1beta1', 17300, 9],
  ['certificates.k8s.io/v1alpha1', 17300, 1],
  // Below the groups of today, so that `kubectl get deployments` goes on meaning theirs.
  ['extensions/v1beta1', 17150, 1],
  ['networking.k8s.io/v1', 17200, 15],
  ['networking.k8s.io/v1beta1', 17200, 9],
  ['policy/v1', 17100, 15],
  ['policy/v1beta1', 17100, 9],
  ['rbac.authorization.k8s.io/v1', 17000, 15],
  ['rbac.authorization.k8s.io/v1beta1', 17000, 12],
  ['settings.k8s.io/v1alpha1', 16900, 9],
  ['storage.k8s.io/v1', 16800, 15],
  ['storage.k8s.io/v1beta1', 16800, 9],
  ['storage.k8s.io/v1alpha1', 16800, 1],
  ['admissionregistration.k8s.io/v1', 16700, 15],
  ['admissionregistration.k8s.io/v1beta1', 16700, 12],
  ['admissionregistration.k8s.io/v1alpha1', 16700, 9],
  ['apiextensions.k8s.io/v1', 16700, 15],
  ['scheduling.k8s.io/v1', 16600, 15],
  ['scheduling.k8s.io/v1beta1', 16600, 9],
  ['scheduling.k8s.io/v1alpha3', 16600, 3],
  ['scheduling.k8s.io/v1alpha2', 16600, 2],
  ['coordination.k8s.io/v1', 16500, 15],
  ['coordination.k8s.io/v1beta1', 16500, 13],
  ['coordination.k8s.io/v1alpha2', 16500, 12],
  ['node.k8s.io/v1', 16300, 15],
  ['node.k8s.io/v1beta1', 16300, 9],
  ['node.k8s.io/v1alpha1', 16300, 1],
  ['discovery.k8s.io/v1', 16200, 15],
  ['discovery.k8s.io/v1beta1', 16200, 12],
  ['resource.k8s.io/v1', 16200, 21],
  ['resource.k8s.io/v1beta2', 16200, 15],
  ['resource.k8s.io/v1beta1', 16200, 9],
  ['resource.k8s.io/v1alpha3', 16200, 1],
  ['flowcontrol.apiserver.k8s.io/v1', 16100, 21],
  ['flowcontrol.apiserver.k8s.io/v1beta3', 16100, 18],
  ['flowcontrol.apiserver.k8s.io/v1beta2', 16100, 15],
  ['flowcontrol.apiserver.k8s.io/v1beta1', 16100, 12],
  ['flowcontrol.apiserver.k8s.io/v1alpha1', 16100, 9],
  ['internal.apiserver.k8s.io/v1alpha1', 16000, 9],
  ['resource.k8s.io/v1alpha3', 15900, 9],
  // Since 1.37.
  ['storagemigration.k8s.io/v1', 15800, 15],
  ['storagemigration.k8s.io/v1beta1', 15800, 9],
  ['lifecycle.k8s.io/v1alpha1', 15700, 1],
];

/**
 * Priorities of the built-in group versions (pkg/controlplane/apiserver/aggregator.go and
 * cmd/kube-apiserver/app/aggregator.go, 1.36; of removed versions 1.15 and 1.19).
 */
export const localPriorities: ReadonlyMap<string, LocalPriority> = new Map(
  table.map(([groupVersion, group, version]) => [groupVersion, { group, version }]),
);

/** Of group versions that CRDs define. */
export const customPriority: LocalPriority = { group: 1000, version: 100 };
