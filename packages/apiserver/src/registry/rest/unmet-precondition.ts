import { conflict, type GroupResource, type ObjectMeta } from '@kubechain/apimachinery';
import type { Preconditions } from '@kubechain/shared-storage';

/**
 * Refuses a write whose preconditions the object does not meet, in the words of resources that check them before
 * storage does (deletions of namespaces and CustomResourceDefinitions, Scales: registry/core/namespace/storage,
 * apiextensions registry, registry/apps/deployment/storage).
 * @throws StatusError Conflict
 */
export function refuseUnmetPreconditions(
  resource: GroupResource,
  metadata: ObjectMeta,
  { uid, resourceVersion }: Preconditions,
  /** CustomResourceDefinitions say it with a small letter since 1.37. */
  words = 'Precondition failed',
): void {
  const check = (what: string, wanted: string | undefined, actual = ''): void => {
    if (wanted !== undefined && wanted !== actual)
      throw conflict(
        resource,
        metadata.name ?? '',
        `${words}: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`,
      );
  };
  check('UID', uid, metadata.uid);
  check('ResourceVersion', resourceVersion, metadata.resourceVersion);
}
