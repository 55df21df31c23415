import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@kubechain/apimachinery/types/core/v1';
import { roundResourceList, roundResources } from '../resource-list.ts';

/** Defaults of claims (pkg/apis/core/v1, 1.36). */
export function defaultPersistentVolumeClaim(claim: PersistentVolumeClaim): void {
  const status = (claim.status ??= {});
  status.phase ||= 'Pending';
  defaultClaimSpec((claim.spec ??= {}));
  roundResourceList(status.capacity);
  roundResourceList(status.allocatedResources);
}

/** Defaults of what is claimed, in claims and in templates of claims. */
export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.resources);
}
