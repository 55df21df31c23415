import { selectorFromObject } from '@kubechain/apimachinery';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import {
  allowsAccess,
  classOfClaim,
  classOfVolume,
  haveSameAttributes,
  haveSameMode,
  isForClaim,
  isReachable,
  sizeOfClaim,
  sizeOfVolume,
} from './claim-facts.ts';

export interface FindVolumeOptions {
  /** Only volumes that are kept for the claim: the others are the scheduler's to choose. */
  readonly keptOnly?: boolean;
  /** Must be reachable from it. */
  readonly node?: Node;
  /** Names of volumes that are spoken for. */
  readonly excluded?: ReadonlySet<string>;
}

/**
 * The volume that is kept for a claim, or else the smallest that does, of those with the fewest access modes
 * (storage/volume FindMatchingVolume and the binder's index, 1.36).
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  { excluded, keptOnly = false, node }: FindVolumeOptions = {},
): PersistentVolume | undefined {
  const wanted = sizeOfClaim(claim);
  const fitting = volumes.filter(
    (volume) =>
      excluded?.has(volume.metadata?.name ?? '') !== true &&
      (volume.spec?.claimRef === undefined || isForClaim(volume, claim)) &&
      volume.metadata?.deletionTimestamp === undefined &&
      sizeOfVolume(volume).compare(wanted) >= 0 &&
      haveSameMode(claim, volume) &&
      haveSameAttributes(claim, volume) &&
      allowsAccess(volume, claim),
  );
  const kept = fitting.find((volume) => isForClaim(volume, claim));
  if (kept !== undefined) return node === undefined || isReachable(kept, node) ? kept : undefined;
  if (keptOnly) return undefined;
  const selector = claim.spec?.selector === undefined ? undefined : selectorFromObject(claim.spec.selector);
  return fitting
    .filter(
      (volume) =>
        volume.status?.phase === 'Available' &&
        selector?.matches(volume.metadata?.labels) !== false &&
        classOfVolume(volume) === classOfClaim(claim) &&
        (node === undefined || isReachable(volume, node)),
    )
    .toSorted(
      (a, b) =>
        (a.spec?.accessModes?.length ?? 0) - (b.spec?.accessModes?.length ?? 0) ||
        sizeOfVolume(a).compare(sizeOfVolume(b)),
    )[0];
}
