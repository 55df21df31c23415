import type { ContainerStatus, PodStatus } from '@kubechain/apimachinery/types/core/v1';

/**
 * Takes out of a pod's status what features that are off would use, unless the old status has it already
 * (dropDisabledPodStatusFields of pkg/api/pod, 1.36).
 */
export function dropDisabledStatusFields(status: PodStatus, old: PodStatus | undefined): void {
  if (!mounts(old).some(({ volumeStatus }) => volumeStatus !== undefined))
    for (const mount of mounts(status)) delete mount.volumeStatus;
  if ((old?.nodeAllocatableResourceClaimStatuses?.length ?? 0) === 0)
    delete status.nodeAllocatableResourceClaimStatuses;
}

function mounts(status: PodStatus | undefined): NonNullable<ContainerStatus['volumeMounts']> {
  const all = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  return all.flatMap(({ volumeMounts }) => volumeMounts ?? []);
}
