import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectReference } from '@kubechain/apimachinery/types/core/v1';
import { apiVersionOf, type ResourceType } from '../client/resource-type.ts';

/** What an event is about; objects from lists and informers do not carry their kind, so the type says it. */
export function referenceTo(
  object: Pick<KubeObject, 'metadata'>,
  type: Pick<ResourceType<unknown>, 'group' | 'version' | 'kind'>,
): ObjectReference {
  const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
  return {
    kind: type.kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    apiVersion: apiVersionOf(type),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
