import type { RequestContext } from '../request/request-context.ts';

/** Label `scope` of request metrics: resource, namespace or cluster; '' for what is no resource. */
export function scopeOf({ requestInfo }: Pick<RequestContext, 'requestInfo'>): string {
  if (requestInfo.name !== '' || requestInfo.verb === 'create') return 'resource';
  if (requestInfo.namespace !== '') return 'namespace';
  return requestInfo.isResourceRequest ? 'cluster' : '';
}
