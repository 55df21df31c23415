import { betaStorageClassAnnotation, Quantity } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { concerns } from './attributes.ts';
import type { ObjectLookup } from './object-lookup.ts';

/**
 * Lets claims grow only where they are bound and their class allows it
 * (plugin/pkg/admission/storage/persistentvolume/resize, 1.36).
 */
export class PersistentVolumeClaimResize implements AdmissionPlugin {
  readonly name = 'PersistentVolumeClaimResize';
  readonly #classes: ObjectLookup;

  constructor(classes: ObjectLookup) {
    this.#classes = classes;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'persistentvolumeclaims')) return;
    const claim = attributes.object as PersistentVolumeClaim;
    const old = attributes.oldObject as PersistentVolumeClaim;
    if (sizeOf(claim).compare(sizeOf(old)) <= 0) return;
    if (old.status?.phase !== 'Bound')
      throw admissionForbidden(attributes, 'Only bound persistent volume claims can be expanded');
    const name = classOf(claim);
    const allowed =
      name !== '' &&
      name === classOf(old) &&
      ((await this.#classes.get(name)) as StorageClass | undefined)?.allowVolumeExpansion === true;
    if (!allowed)
      throw admissionForbidden(
        attributes,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must ' +
          'support resize',
      );
  }
}

function sizeOf({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(spec?.resources?.requests?.['storage'] ?? '0');
}

/** The annotation of old wins, as in the reference. */
function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata?.annotations?.[betaStorageClassAnnotation] ?? spec?.storageClassName ?? '';
}
