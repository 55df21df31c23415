import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import { addFinalizer, ensureMeta } from '@kubechain/apimachinery';

/** Finalizers by resource. */
const finalizers: ReadonlyMap<string, string> = new Map([
  ['/persistentvolumes', 'kubernetes.io/pv-protection'],
  ['/persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection'],
]);

/**
 * Keeps volumes, claims and attribute classes while they are in use, by a finalizer that a controller removes
 * (plugin/pkg/admission/storage/storageobjectinuseprotection, 1.36).
 */
export class StorageObjectInUseProtection implements AdmissionPlugin {
  readonly name = 'StorageObjectInUseProtection';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  admit({ object, resource, subresource }: AdmissionAttributes): void {
    if (subresource !== '' || object === undefined) return;
    const finalizer = finalizers.get(`${resource.group}/${resource.resource}`);
    if (finalizer !== undefined) addFinalizer(ensureMeta(object), finalizer);
  }
}
