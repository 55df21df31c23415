import type { PersistentVolume, PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { classOfClaim, classOfVolume } from './claim-facts.ts';

const index = 'claims that may have volumes';

/** Lets the volumes be found that a claim may be bound to, without going through all of the cluster. */
export function addCandidatesIndex(volumes: Pick<SharedInformer<PersistentVolume>, 'addIndex'>): void {
  volumes.addIndex(index, (volume) => {
    const { claimRef } = volume.spec ?? {};
    return [claimRef === undefined ? free(classOfVolume(volume)) : kept(claimRef)];
  });
}

/** Those that are kept for the claim, and those of its class that are kept for none; `findVolume` looks at the rest. */
export function candidatesFor(
  claim: PersistentVolumeClaim,
  volumes: Pick<SharedInformer<PersistentVolume>, 'byIndex'>,
): PersistentVolume[] {
  return [...volumes.byIndex(index, kept(claim.metadata)), ...volumes.byIndex(index, free(classOfClaim(claim)))];
}

function kept({ name = '', namespace = '' }: { readonly name?: string; readonly namespace?: string } = {}): string {
  return `for ${namespace}/${name}`;
}

function free(className: string): string {
  return `of ${className}`;
}
