import type { GroupResource } from '@kubechain/apimachinery';
import type { UserInfo } from '../../request/user-info.ts';
import type { RequestContext, RequestInfo } from '../../request/request-context.ts';
import type { RESTContext } from './storage.ts';

export interface InternalContextOptions {
  readonly groupResource: GroupResource;
  /** '' for cluster scope. */
  readonly namespace?: string;
  readonly user?: UserInfo;
  readonly signal?: AbortSignal;
}

const systemUser: UserInfo = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };
const never = new AbortController().signal;

/**
 * The context for calls of storage that no request stands behind: bootstrap hooks, controllers inside the server.
 * Warnings and annotations go nowhere.
 */
export function internalContext(options: InternalContextOptions): RESTContext {
  const { groupResource, namespace = '', user = systemUser, signal = never } = options;
  const requestInfo: RequestInfo = {
    isResourceRequest: true,
    path: '',
    verb: '',
    apiPrefix: groupResource.group === '' ? 'api' : 'apis',
    apiGroup: groupResource.group,
    apiVersion: '',
    namespace,
    resource: groupResource.resource,
    subresource: '',
    name: '',
    parts: [],
  };
  const request: RequestContext = {
    requestInfo,
    query: new URLSearchParams(),
    user,
    auditID: '',
    receivedAtMs: 0,
    deadlineMs: Infinity,
    signal,
    addWarning: ignore,
    addAuditAnnotation: ignore,
    addTiming: ignore,
  };
  return { namespace, request };
}

function ignore(): void {
  /* nobody is listening */
}
