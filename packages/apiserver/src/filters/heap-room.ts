import { StatusError } from '@kubechain/apimachinery';
import { writeError } from '../responses/write-status.ts';
import type { Filter } from '../request/filter.ts';
import type { RequestContext } from '../request/request-context.ts';
import { serverContext } from '../request/server-context.ts';
import type { HeapGauge } from '../watchdog/heap-gauge.ts';

/** Verbs that create an object or may enlarge one. */
const growing: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
/** Groups whose objects are never stored. */
const unstored: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);
/** Users whose writes make room or keep the cluster in order: finalizers, statuses, leases, evictions. */
const keepers: ReadonlySet<string> = new Set([
  'system:apiserver',
  'system:kube-controller-manager',
  'system:kube-scheduler',
]);

/**
 * Refuses what would store more while a process has no room for it, as etcd does beyond its quota: 507. Reads and
 * deletions are answered; so are those who keep the cluster in order (system:masters, its own components, what nodes
 * tell of what they have), so that room can be made.
 */
export function heapRoom(gauge: Pick<HeapGauge, 'full'>): Filter {
  return (request, response, next) => {
    if (!gauge.full || !needsRoom(serverContext(request))) {
      next(request, response);
      return;
    }
    writeError(request, response, noRoom());
  };
}

/** Whether a request may store more than there is, and is not of those who make room. */
export function needsRoom({
  requestInfo,
  user: { groups, name },
}: Pick<RequestContext, 'requestInfo' | 'user'>): boolean {
  const { apiGroup, isResourceRequest, subresource, verb } = requestInfo;
  if (!isResourceRequest || !growing.has(verb) || unstored.has(apiGroup) || subresource === 'eviction') return false;
  if (keepers.has(name) || groups.includes('system:masters')) return false;
  if (groups.includes('system:serviceaccounts:kube-system')) return false;
  return verb === 'create' || !groups.includes('system:nodes');
}

function noRoom(): StatusError {
  return new StatusError({
    status: 'Failure',
    code: 507,
    message: 'the server has no memory for more objects: delete some, or give it more (--max-old-space-size of Node)',
  });
}
