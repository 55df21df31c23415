import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';

/** Defaults of storage classes (pkg/apis/storage/v1, 1.36). */
export function defaultStorageClass(storageClass: StorageClass): void {
  storageClass.reclaimPolicy ??= 'Delete';
  storageClass.volumeBindingMode ??= 'Immediate';
}
