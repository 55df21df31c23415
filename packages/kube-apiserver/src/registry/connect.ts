import { forbidden } from '@kubechain/apimachinery';
import { authorizationAttributes } from '@kubechain/apiserver/resources';
import type { Backend } from '@kubechain/apiserver/proxies';
import type { Authorizer, RESTContext } from '@kubechain/apiserver/resources';
import type { ConnectionOptions } from 'node:tls';

/** Methods of the proxy endpoints. */
export const proxyMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;
/** Methods of the endpoints that are upgraded to streams. */
export const streamMethods = ['GET', 'POST'] as const;

/** Certificates of what is proxied to are not checked: pods and services have no names that could be. */
export const unchecked: ConnectionOptions = { rejectUnauthorized: false };

/** The query of a request as the client wrote it, without `?`. */
export function rawQuery(url: string | undefined): Backend['query'] {
  const question = url?.indexOf('?') ?? -1;
  return question < 0 ? '' : (url ?? '').slice(question + 1);
}

/**
 * Streams into pods can be opened with GET as well, as WebSockets must; the right to read is not enough for them
 * (pkg/registry/core/pod/rest/authorize.go, 1.36).
 * @throws StatusError Forbidden
 */
export async function ensureAuthorizedForVerb(
  { request }: RESTContext,
  authorizer: Authorizer,
  verb: string,
): Promise<void> {
  const { requestInfo } = request;
  if (requestInfo.verb === verb) return;
  const { decision, reason } = await authorizer.authorize({ ...authorizationAttributes(request), verb });
  if (decision !== 'Allow')
    throw forbidden({ group: requestInfo.apiGroup, resource: requestInfo.resource }, requestInfo.name, reason);
}
