import type { OwnerReference } from '@kubechain/apimachinery';
import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import { isInRange, ordinalOf } from './identity.ts';

/** What becomes of a claim's owners by the set's retention policy. */
export type ClaimOwners =
  | { readonly kind: 'keep' }
  /** Somebody else controls the claim: the policy does not hold for it. */
  | { readonly kind: 'conflict'; readonly references: readonly OwnerReference[] | undefined }
  | { readonly kind: 'set'; readonly references: readonly OwnerReference[] };

/** Whether claims go with a pod when the set is scaled down. */
export function deletesWhenScaled({ spec }: StatefulSet): boolean {
  return spec?.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete';
}

/** A claim of a former pod of that name: it is about to be collected, and the new pod must wait for it. */
export function isStale(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return (
    claim.metadata?.ownerReferences?.some((reference) => isOf(reference, pod, podType) && !isSame(reference, pod)) ??
    false
  );
}

/**
 * The owners by whom a claim is collected: the set if its claims go with it, the pod if its claims go with scaling
 * down and it is one too many. Source: stateful_set_utils.go isClaimOwnerUpToDate and
 * updateClaimOwnerRefForSetAndPod (1.36).
 */
export function claimOwners(set: StatefulSet, pod: Pod, { metadata }: PersistentVolumeClaim): ClaimOwners {
  const references = metadata?.ownerReferences ?? [];
  const { whenDeleted } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const others = references.filter((one) => !isOf(one, set, setType) && !isOf(one, pod, podType));
  const ours = references.filter((one) => isSame(one, set) || isSame(one, pod));
  const stale = references.some(
    (one) => (isOf(one, set, setType) && !isSame(one, set)) || (isOf(one, pod, podType) && !isSame(one, pod)),
  );
  const hasPolicy = whenDeleted === 'Delete' || deletesWhenScaled(set);
  if (stale) return hasPolicy ? { kind: 'conflict', references: undefined } : { kind: 'keep' };
  if (hasPolicy && others.some(({ controller }) => controller === true))
    return { kind: 'conflict', references: ours.length === 0 ? undefined : others };
  const condemned = deletesWhenScaled(set) && !isInRange(set, ordinalOf(pod));
  const wanted: OwnerReference[] = [];
  if (whenDeleted === 'Delete' && !condemned) wanted.push(controllerRef(set, setType));
  if (condemned) wanted.push(controllerRef(pod, podType));
  const same =
    ours.length === wanted.length &&
    wanted.every(({ uid }) => ours.some((one) => one.uid === uid && one.controller === true));
  return same ? { kind: 'keep' } : { kind: 'set', references: [...others, ...wanted] };
}

const setType = resources.statefulsets;
const podType = resources.pods;

function isOf(
  { apiVersion, kind, name }: OwnerReference,
  owner: StatefulSet | Pod,
  type: typeof setType | typeof podType,
): boolean {
  const wanted = controllerRef(owner, type);
  return apiVersion === wanted.apiVersion && kind === wanted.kind && name === wanted.name;
}

function isSame({ uid }: OwnerReference, { metadata }: StatefulSet | Pod): boolean {
  return uid === metadata?.uid;
}
