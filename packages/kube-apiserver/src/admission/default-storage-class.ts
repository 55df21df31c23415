import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver';
import type { PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import { concerns } from './attributes.ts';
import { defaultClass } from './default-class.ts';
import type { ObjectLookup } from './object-lookup.ts';

const defaultAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'] as const;
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Gives claims without a storage class the default one (plugin/pkg/admission/storage/storageclass/setdefault, 1.36). */
export class DefaultStorageClass implements AdmissionPlugin {
  readonly name = 'DefaultStorageClass';
  readonly #classes: ObjectLookup;

  constructor(classes: ObjectLookup) {
    this.#classes = classes;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'persistentvolumeclaims')) return;
    const { metadata, spec } = attributes.object as PersistentVolumeClaim;
    if (spec === undefined || spec.storageClassName !== undefined || metadata?.annotations?.[classAnnotation] !== undefined) return;
    const name = defaultClass(await this.#classes.list(), defaultAnnotations)?.metadata?.name;
    if (name !== undefined) spec.storageClassName = name;
  }
}
