import { betaStorageClassAnnotation, FieldPath, goQuote, Quantity } from '@kubechain/apimachinery';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@kubechain/apimachinery/types/core/v1';
import { isFractional } from '../resource-name.ts';

const specPath = FieldPath.of('spec');

/**
 * What a claim should not say any more, or not like this (GetWarningsForPersistentVolumeClaim of
 * pkg/api/persistentvolumeclaim, 1.36).
 */
export function claimWarnings({ metadata, spec }: PersistentVolumeClaim): string[] {
  const old = metadata?.annotations?.[betaStorageClassAnnotation] !== undefined;
  return [
    ...(old
      ? [
          `metadata.annotations[${betaStorageClassAnnotation}]: deprecated since v1.8; ` +
            'use "storageClassName" attribute instead',
        ]
      : []),
    ...claimSpecWarnings(spec, specPath),
  ];
}

/** The same of a claim's spec in a template: storage comes in whole bytes. */
export function claimSpecWarnings(spec: PersistentVolumeClaimSpec | undefined, path: FieldPath): string[] {
  return (['requests', 'limits'] as const).flatMap((kind) => {
    const text = spec?.resources?.[kind]?.['storage'];
    return text !== undefined && isFractional(Quantity.parse(text))
      ? [
          `${path.child('resources', kind).key('storage').toString()}: fractional byte value ${goQuote(text)} ` +
            'is invalid, must be an integer',
        ]
      : [];
  });
}
