import { Quantity } from '@kubechain/apimachinery';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { matchesTerm } from '../placement/node-selection.ts';
import { volumeAnnotations } from './volume-annotations.ts';

/** Looks a storage class up by name. */
export type ClassLookup = (name: string) => StorageClass | undefined;

/** The class that a claim asks for; '' for none. */
export function classOfClaim({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata?.annotations?.[volumeAnnotations.betaClass] ?? spec?.storageClassName ?? '';
}

/** Whether a claim says of which class it is, be it none. */
export function namesClass({ metadata, spec }: PersistentVolumeClaim): boolean {
  return metadata?.annotations?.[volumeAnnotations.betaClass] !== undefined || spec?.storageClassName !== undefined;
}

/** The class of a volume; '' for none. */
export function classOfVolume({ metadata, spec }: PersistentVolume): string {
  return metadata?.annotations?.[volumeAnnotations.betaClass] ?? spec?.storageClassName ?? '';
}

/** Whether a claim waits for a pod that uses it (WaitForFirstConsumer). */
export function waitsForConsumer(claim: PersistentVolumeClaim, classOf: ClassLookup): boolean {
  const name = classOfClaim(claim);
  return name !== '' && classOf(name)?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Whether a volume is kept for, or bound to, a claim. */
export function isForClaim({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  if (reference === undefined || reference.name !== metadata?.name || reference.namespace !== metadata?.namespace)
    return false;
  return (reference.uid ?? '') === '' || reference.uid === metadata?.uid;
}

/** What a claim asks for at least. */
export function sizeOfClaim({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(spec?.resources?.requests?.['storage'] ?? '0');
}

export function sizeOfVolume({ spec }: PersistentVolume): Quantity {
  return Quantity.parse(spec?.capacity?.['storage'] ?? '0');
}

/** Both are file systems, or both are block devices. */
export function haveSameMode(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return (claim.spec?.volumeMode ?? 'Filesystem') === (volume.spec?.volumeMode ?? 'Filesystem');
}

/** The volume can be used in every way that the claim asks for. */
export function allowsAccess({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes = spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}

/** Both name the same VolumeAttributesClass, or none. */
export function haveSameAttributes(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return (claim.spec?.volumeAttributesClassName ?? '') === (volume.spec?.volumeAttributesClassName ?? '');
}

/** Whether a volume can be reached from a node. */
export function isReachable({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** Why a volume cannot be bound to a claim that names it; undefined: it can. */
export function volumeMismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const name = volume.metadata?.name ?? '';
  if (volume.metadata?.deletionTimestamp !== undefined) return `the volume is marked for deletion "${name}"`;
  if (sizeOfVolume(volume).compare(sizeOfClaim(claim)) < 0) return 'requested PV is too small';
  if (classOfVolume(volume) !== classOfClaim(claim)) return 'storageClassName does not match';
  if (!haveSameAttributes(claim, volume)) return 'volumeAttributesClassName does not match';
  if (!haveSameMode(claim, volume)) return 'incompatible volumeMode';
  return allowsAccess(volume, claim) ? undefined : 'incompatible accessMode';
}

/** A claim that a pod uses: by its name, or by a template for one of its own. */
export interface UsedClaim {
  readonly name: string;
  readonly ephemeral: boolean;
}

/** The claims that a pod uses. */
export function claimsOf({ metadata, spec }: Pod): readonly UsedClaim[] {
  return (spec?.volumes ?? []).flatMap(({ ephemeral, name, persistentVolumeClaim }): UsedClaim[] => {
    if (persistentVolumeClaim !== undefined) return [{ name: persistentVolumeClaim.claimName ?? '', ephemeral: false }];
    return ephemeral === undefined ? [] : [{ name: `${metadata?.name ?? ''}-${name}`, ephemeral: true }];
  });
}

/** Keys of a pod's claims, for an index over pods. */
export function claimKeysOf(pod: Pod): readonly string[] {
  return claimsOf(pod).map(({ name }) => `${pod.metadata?.namespace ?? ''}/${name}`);
}

/** Why a claim is not the one that was made for a pod; undefined: it is. */
export function foreignClaimProblem(claim: PersistentVolumeClaim, { metadata }: Pod): string | undefined {
  const own = (claim.metadata?.ownerReferences ?? []).some(
    ({ controller, uid }) => controller === true && uid === metadata?.uid,
  );
  return own
    ? undefined
    : `PVC ${claim.metadata?.namespace ?? ''}/${claim.metadata?.name ?? ''} was not created for pod ` +
        `${metadata?.namespace ?? ''}/${metadata?.name ?? ''} (pod is not owner)`;
}

/** The default class, the newest where there are several. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const isDefault = ({ metadata }: StorageClass): boolean =>
    ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some(
      (name) => metadata?.annotations?.[name] === 'true',
    );
  const born = ({ metadata }: StorageClass): number => Date.parse(metadata?.creationTimestamp ?? '');
  return classes
    .filter(isDefault)
    .toSorted((a, b) => born(b) - born(a) || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1))[0];
}
