import { StatusError } from '@kubechain/apimachinery';
import { writeError } from '../responses/write-status.ts';
import type { Filter } from '../request/filter.ts';
import type { RequestContext } from '../request/request-context.ts';
import { serverContext } from '../request/server-context.ts';
import { heapHeader, type HeapGauge } from '../watchdog/heap-gauge.ts';

/** Verbs that create an object or may enlarge one. */
const growing: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
/** Groups whose objects are never stored. */
const unstored: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);
/** Users whose changes make room or keep the cluster in order: finalizers, statuses, bindings. */
const keepers: ReadonlySet<string> = new Set(['system:kube-controller-manager', 'system:kube-scheduler']);
/** What keepers may create beside what is part of an object: their leases, and what tells of them. */
const kept: ReadonlySet<string> = new Set(['leases', 'events']);

/**
 * Refuses what would store more while a process has no room for it, as etcd does beyond its quota: 507. Reads and
 * deletions are answered; so are those who keep the cluster in order (system:masters, changes of its own components,
 * what nodes tell of what they have), so that room can be made. What controllers create is mostly what users' objects
 * ask for, and refused.
 */
export function heapRoom(gauge: Pick<HeapGauge, 'full' | 'tellClient'>): Filter {
  return (request, response, next) => {
    const told = request.headers[heapHeader];
    if (told !== undefined && isKeeper(serverContext(request))) gauge.tellClient(told === 'full');
    if (!gauge.full || !needsRoom(serverContext(request))) {
      next(request, response);
      return;
    }
    writeError(request, response, noRoom());
  };
}

/** Whether a request is of those who keep what is stored in a heap of their own, and are believed what they say of it. */
export function isKeeper({ user: { name } }: Pick<RequestContext, 'user'>): boolean {
  return keepers.has(name);
}

/** Whether a request may store more than there is, and is not of those who make room. */
export function needsRoom({
  requestInfo,
  user: { groups, name },
}: Pick<RequestContext, 'requestInfo' | 'user'>): boolean {
  const { apiGroup, isResourceRequest, resource, subresource, verb } = requestInfo;
  if (!isResourceRequest || !growing.has(verb) || unstored.has(apiGroup) || subresource === 'eviction') return false;
  if (name === 'system:apiserver' || groups.includes('system:masters')) return false;
  if (keepers.has(name) || groups.includes('system:serviceaccounts:kube-system'))
    return verb === 'create' && subresource === '' && !kept.has(resource);
  return verb === 'create' || !groups.includes('system:nodes');
}

function noRoom(): StatusError {
  return new StatusError({
    status: 'Failure',
    code: 507,
    message: 'the server has no memory for more objects: delete some, or give it more (--max-old-space-size of Node)',
  });
}
