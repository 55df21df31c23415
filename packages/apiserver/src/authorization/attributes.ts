import type { RequestContext } from '../request/request-context.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

/** What authorizers are asked about a request. Source: filters/authorization.go GetAuthorizerAttributes. */
export function authorizationAttributes({ user, requestInfo }: RequestContext): AuthorizationAttributes {
  const { fieldSelector, labelSelector } = requestInfo;
  return {
    user,
    verb: requestInfo.verb,
    resourceRequest: requestInfo.isResourceRequest,
    path: requestInfo.path,
    namespace: requestInfo.namespace,
    apiGroup: requestInfo.apiGroup,
    apiVersion: requestInfo.apiVersion,
    resource: requestInfo.resource,
    subresource: requestInfo.subresource,
    name: requestInfo.name,
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}
