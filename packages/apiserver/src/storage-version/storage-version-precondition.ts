import { formatGroupResource, serviceUnavailable } from '@kubechain/apimachinery';
import type { Filter } from '../request/filter.ts';
import type { RequestInfo } from '../request/request-context.ts';
import { serverContext } from '../request/server-context.ts';
import type { UserInfo } from '../request/user-info.ts';
import { writeError } from '../responses/write-status.ts';
import type { StorageVersionBarrier } from './storage-version-barrier.ts';

/**
 * Answers 503 to writes of resources that the server has not told the storage version of, but for those that telling
 * it depends on (endpoints/filters/storageversion.go, 1.36).
 */
export function storageVersionPrecondition(barrier: StorageVersionBarrier): Filter {
  return (request, response, next) => {
    if (barrier.completed) {
      next(request, response);
      return;
    }
    const { requestInfo, user } = serverContext(request);
    const resource = { group: requestInfo.apiGroup, resource: requestInfo.resource };
    if (!requestInfo.isResourceRequest || mayBeWritten(requestInfo, user) || !barrier.isPending(resource)) {
      next(request, response);
      return;
    }
    const waits = `wait for storage version registration to complete for resource: ${formatGroupResource(resource)}`;
    writeError(request, response, serviceUnavailable(`${waits}, last seen error: ${barrier.lastError(resource)}`));
  };
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Reads, and what servers need to come so far that they can tell. */
function mayBeWritten({ apiGroup, namespace, resource, verb }: RequestInfo, user: UserInfo): boolean {
  if (reads.has(verb)) return true;
  switch (`${resource}.${apiGroup}`) {
    case 'storageversions.internal.apiserver.k8s.io':
      return true;
    case 'namespaces.':
      return verb === 'create' && user.name === 'system:apiserver' && user.groups.includes('system:masters');
    case 'leases.coordination.k8s.io':
      return namespace === 'kube-system';
    default:
      return false;
  }
}
