import { betaStorageClassAnnotation, FieldPath } from '@kubechain/apimachinery';
import type { PersistentVolume, PersistentVolumeSpec } from '@kubechain/apimachinery/types/core/v1';
import { nodeSelectorTermWarnings } from '../node-label-warnings.ts';

const termsPath = FieldPath.of('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');
const oldAnnotations: readonly (readonly [key: string, message: string])[] = [
  [betaStorageClassAnnotation, 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
];
/**
 * Volumes whose plugins are gone, in the order of the reference's answers; it spells one of them otherwise than the
 * field.
 */
const oldVolumes: readonly (readonly [field: keyof PersistentVolumeSpec, spelled: string, message: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** What volumes say that is not used any more (GetWarningsForPersistentVolume of pkg/api/persistentvolume, 1.36). */
export function volumeWarnings({ metadata, spec = {} }: PersistentVolume): string[] {
  const recycled = spec.persistentVolumeReclaimPolicy === 'Recycle';
  return [
    ...oldAnnotations
      .filter(([key]) => metadata?.annotations?.[key] !== undefined)
      .map(([key, message]) => `metadata.annotations[${key}]: ${message}`),
    ...(recycled
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the ' +
            'recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      nodeSelectorTermWarnings(term, termsPath.index(i), false),
    ),
    ...oldVolumes
      .filter(([field]) => spec[field] !== undefined)
      .map(([, spelled, message]) => `spec.${spelled}: ${message}`),
  ];
}
