import { FieldPath, forbiddenValue, internalFieldError, messageOf } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { DeviceRequest, DeviceRequestAllocationResult } from '@kubechain/apimachinery/types/resource/v1';
import type { RESTContext, Store } from '@kubechain/apiserver/resources';

const adminLabel = 'resource.kubernetes.io/admin-access';

/** Where the namespaces of claims are looked up. */
export type Namespaces = () => Pick<Store, 'get'>;

/**
 * Devices may be asked for although others use them where the namespace is an administrator's (AuthorizedForAdmin of
 * pkg/registry/resource, 1.36).
 */
export function checkAdminRequests(
  requests: readonly DeviceRequest[] = [],
  context: RESTContext,
  namespaces: Namespaces,
): Promise<FieldError[]> {
  const index = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
  return checkNamespace(
    index < 0 ? undefined : FieldPath.of('spec', 'devices', 'requests').index(index).child('adminAccess'),
    context,
    namespaces,
  );
}

/** The same for what was allocated; what had it keeps it (AuthorizedForAdminStatus). */
export function checkAdminResults(
  results: readonly DeviceRequestAllocationResult[] = [],
  old: readonly DeviceRequestAllocationResult[] = [],
  context: RESTContext,
  namespaces: Namespaces,
): Promise<FieldError[]> {
  const index = old.some(({ adminAccess }) => adminAccess === true)
    ? -1
    : results.findIndex(({ adminAccess }) => adminAccess === true);
  return checkNamespace(
    index < 0
      ? undefined
      : FieldPath.of('status', 'allocation', 'devices', 'results').index(index).child('adminAccess'),
    context,
    namespaces,
  );
}

async function checkNamespace(
  path: FieldPath | undefined,
  context: RESTContext,
  namespaces: Namespaces,
): Promise<FieldError[]> {
  if (path === undefined) return [];
  try {
    const namespace = (await namespaces().get(context, context.namespace, {})).object();
    return namespace.metadata?.labels?.[adminLabel] === 'true'
      ? []
      : [
          forbiddenValue(
            path,
            `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`,
          ),
        ];
  } catch (error) {
    return [internalFieldError(path, `could not retrieve namespace to verify admin access: ${messageOf(error)}`)];
  }
}
