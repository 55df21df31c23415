import type { ObjectMeta, OwnerReference } from '@kubechain/apimachinery';
import { apiVersionOf, type ResourceType } from '../client/resource-type.ts';

/** The reference by which an owner controls what it makes (metav1.NewControllerRef). */
export function controllerRef(owner: { readonly metadata?: ObjectMeta }, type: ResourceType<unknown>): OwnerReference {
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    name: owner.metadata?.name ?? '',
    uid: owner.metadata?.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
