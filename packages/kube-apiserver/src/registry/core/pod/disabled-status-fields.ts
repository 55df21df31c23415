import type { ContainerStatus, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../capabilities.ts';
import { dropGatedFields } from '../../gated-fields.ts';
import type { GatedField } from '../../gated-fields.ts';

/**
 * Takes out of a pod's status what features that are off would use, unless the old status has it already
 * (dropDisabledPodStatusFields of pkg/api/pod, 1.34 to 1.37).
 */
export function dropDisabledStatusFields(
  status: PodStatus,
  { enabled }: Pick<Capabilities, 'enabled'>,
  old: PodStatus | undefined,
): void {
  dropGatedFields(gated, status, { enabled, old });
}

const own = (status: PodStatus): readonly unknown[] => [status];
const gated: readonly GatedField<PodStatus>[] = [
  // ImageVolumeWithDigest
  { field: 'volumeStatus', owners: (status) => containers(status).flatMap(({ volumeMounts = [] }) => volumeMounts) },
  // DRANodeAllocatableResources
  { field: 'nodeAllocatableResourceClaimStatuses', owners: own },
  { gate: 'DRAExtendedResource', field: 'extendedResourceClaimStatus', owners: own },
  { gate: 'InPlacePodLevelResourcesVerticalScaling', field: 'resources', owners: own },
  { gate: 'InPlacePodLevelResourcesVerticalScaling', field: 'allocatedResources', owners: own },
  { gate: 'ResourceHealthStatus', field: 'allocatedResourcesStatus', owners: containers },
];

function containers({
  containerStatuses = [],
  ephemeralContainerStatuses = [],
  initContainerStatuses = [],
}: PodStatus): readonly ContainerStatus[] {
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
}
