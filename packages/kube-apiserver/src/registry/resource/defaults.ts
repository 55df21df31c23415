import { formatTime } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import type {
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceSlice,
} from '@kubechain/apimachinery/types/resource/v1';

/* Defaults of dynamic resource allocation (pkg/apis/resource/v1, 1.36). */

/** One device, exactly, unless a request says otherwise. */
export function defaultResourceClaim(claim: ResourceClaim): void {
  defaultClaimSpec(claim.spec);
}

/** The same for the claims that a template makes. */
export function defaultResourceClaimTemplate(template: ResourceClaimTemplate): void {
  defaultClaimSpec(template.spec?.spec);
}

function defaultClaimSpec(spec: ResourceClaimSpec | undefined): void {
  for (const request of spec?.devices?.requests ?? []) {
    if (request.exactly !== undefined) defaultAllocation(request.exactly);
    for (const alternative of request.firstAvailable ?? []) defaultAllocation(alternative);
  }
}

function defaultAllocation(request: { allocationMode?: string; count?: number }): void {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

/** Taints of devices carry the time at which they were put on. */
export function resourceSliceDefaulter(clock: Clock): (slice: ResourceSlice) => void {
  return (slice) => {
    for (const device of slice.spec?.devices ?? []) {
      for (const taint of device.taints ?? []) taint.timeAdded ??= formatTime(clock.now());
      const mappings = device.nodeAllocatableResourceMappings;
      for (const name in mappings) (mappings[name] as { allocationMultiplier?: string }).allocationMultiplier ??= '1';
    }
  };
}
