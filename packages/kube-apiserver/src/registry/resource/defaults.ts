import { formatTime } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import type {
  Device,
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

/** A request of v1beta1 for devices of a class has what it asks for in itself. */
interface OlderRequest {
  readonly deviceClassName?: string;
  readonly firstAvailable?: readonly { allocationMode?: string; count?: number }[];
  allocationMode?: string;
  count?: number;
}

interface OlderClaimSpec {
  readonly devices?: { readonly requests?: readonly OlderRequest[] };
}

/** As {@link defaultResourceClaim}, for v1beta1. */
export function defaultOlderResourceClaim(claim: { readonly spec?: OlderClaimSpec }): void {
  for (const request of claim.spec?.devices?.requests ?? []) {
    if ((request.deviceClassName ?? '') !== '') defaultAllocation(request);
    for (const alternative of request.firstAvailable ?? []) defaultAllocation(alternative);
  }
}

/** As {@link defaultResourceClaimTemplate}, for v1beta1. */
export function defaultOlderResourceClaimTemplate(template: {
  readonly spec?: { readonly spec?: OlderClaimSpec };
}): void {
  defaultOlderResourceClaim(template.spec ?? {});
}

/** As {@link resourceSliceDefaulter}, for v1beta1. */
export function olderResourceSliceDefaulter(
  clock: Clock,
): (slice: { readonly spec?: { readonly devices?: readonly { readonly basic?: Device }[] } }) => void {
  return (slice) => {
    for (const { basic } of slice.spec?.devices ?? []) if (basic !== undefined) defaultDevice(basic, clock);
  };
}

/** Taints of devices carry the time at which they were put on. */
export function resourceSliceDefaulter(clock: Clock): (slice: ResourceSlice) => void {
  return (slice) => {
    for (const device of slice.spec?.devices ?? []) defaultDevice(device, clock);
  };
}

function defaultDevice({ nodeAllocatableResourceMappings: mappings, taints = [] }: Device, clock: Clock): void {
  for (const taint of taints) taint.timeAdded ??= formatTime(clock.now());
  for (const name in mappings) (mappings[name] as { allocationMultiplier?: string }).allocationMultiplier ??= '1';
}
