import type { Pod, PodResourceClaim } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';
import { isPodEnded } from '../pods/pod-state.ts';

/** ResourceClaimReservedForMaxSize, 1.36. */
const maxConsumers = 256;

/** The claim that a pod means. */
export interface NamedClaim {
  /** How the pod calls it. */
  readonly entry: PodResourceClaim;
  /** Undefined: it is still to be made. '': none is needed. */
  readonly name: string | undefined;
  /** It was made for the pod, and must be the pod's. */
  readonly generated: boolean;
}

/** By name, or by what the resource claim controller has noted (resourceclaim.Name, 1.36). */
export function claimNamesOf({ spec, status }: Pod): readonly NamedClaim[] {
  return (spec?.resourceClaims ?? []).map((entry) => {
    if (entry.resourceClaimName !== undefined) return { entry, name: entry.resourceClaimName, generated: false };
    const noted = status?.resourceClaimStatuses?.find(({ name }) => name === entry.name);
    return { entry, name: noted === undefined ? undefined : (noted.resourceClaimName ?? ''), generated: true };
  });
}

/** Keys of the claims that are known to a pod. */
export function claimKeysOfPod(pod: Pod): readonly string[] {
  return claimNamesOf(pod).flatMap(({ name = '' }) =>
    name === '' ? [] : [`${pod.metadata?.namespace ?? ''}/${name}`],
  );
}

/** Whether a claim was made for a pod. */
export function isOwnedBy({ metadata }: ResourceClaim, pod: Pod): boolean {
  return (
    metadata?.ownerReferences?.some(({ controller, uid }) => controller === true && uid === pod.metadata?.uid) === true
  );
}

export function isReservedFor({ status }: ResourceClaim, pod: Pod): boolean {
  return status?.reservedFor?.some(({ uid }) => uid === pod.metadata?.uid) === true;
}

/** Whether one more may use it. */
export function canBeReserved({ status }: ResourceClaim): boolean {
  return (status?.reservedFor ?? []).length < maxConsumers;
}

/** A claim's note that a pod uses it. */
export function consumerOf({ metadata }: Pod): {
  readonly resource: 'pods';
  readonly name: string;
  readonly uid: string;
} {
  return { resource: 'pods', name: metadata?.name ?? '', uid: metadata?.uid ?? '' };
}

/** It does not run any more, or never will. */
export function isDoneWithClaims(pod: Pod): boolean {
  return isPodEnded(pod) || (pod.metadata?.deletionTimestamp !== undefined && (pod.spec?.nodeName ?? '') === '');
}

/** Keeps a claim that has devices. */
export const claimFinalizer = 'resource.kubernetes.io/delete-protection';
