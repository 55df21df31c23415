import type { Condition, KubeObject } from '@kubechain/apimachinery';

/** That the objects of a resource are to be written anew, and how far that is (storagemigration.k8s.io/v1, v1beta1). */
export interface StorageVersionMigration extends KubeObject {
  readonly spec?: { readonly resource?: { readonly group?: string; readonly resource?: string } };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly resourceVersion?: string };
}
