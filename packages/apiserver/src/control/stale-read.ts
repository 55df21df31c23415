import type { ServerRequestContext } from '../request/server-request-context.ts';

/**
 * Whether a request may be answered with what was, as the reference answers it: only `resourceVersion=0` takes what a
 * replica has, however far that lags behind.
 */
export function mayBeStale({ query, requestInfo }: ServerRequestContext): boolean {
  const { isResourceRequest, subresource, verb } = requestInfo;
  if (!isResourceRequest || subresource !== '' || (verb !== 'get' && verb !== 'list')) return false;
  return query.get('resourceVersion') === '0' && !query.has('continue');
}
