import type { RequestInfo } from '../../request/request-context.ts';
import type { ServerRequestContext } from '../../request/server-request-context.ts';

/** Of a request what faults look at: alice's get of pod `web`, unless told otherwise. */
export function requestOf(
  info: Partial<RequestInfo> = {},
  { agent = 'kubectl/v1.36', user = 'alice' }: { readonly agent?: string; readonly user?: string } = {},
): ServerRequestContext {
  return {
    request: { headers: { 'user-agent': agent } },
    query: new URLSearchParams(),
    requestInfo: {
      isResourceRequest: true,
      verb: 'get',
      apiGroup: '',
      resource: 'pods',
      subresource: '',
      namespace: 'default',
      name: 'web',
      ...info,
    },
    user: { name: user, groups: [] },
  } as unknown as ServerRequestContext;
}
