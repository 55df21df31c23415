import { forbidden, goQuote, type StatusError } from '@kubechain/apimachinery';
import type { AuthorizationAttributes } from './authorizer.ts';

/**
 * 403 for a request that nobody allows, in the reference's words; `reason` is the authorizers'.
 * Source: endpoints/handlers/responsewriters ForbiddenStatusError.
 */
export function forbiddenError(attributes: AuthorizationAttributes, reason: string): StatusError {
  const text = forbiddenMessage(attributes).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return forbidden(
    { group: attributes.apiGroup, resource: attributes.resource },
    attributes.name,
    reason === '' ? text : `${text}: ${reason}`,
  );
}

function forbiddenMessage({
  user,
  verb,
  resourceRequest,
  path,
  namespace,
  apiGroup,
  resource,
  subresource,
}: AuthorizationAttributes): string {
  if (!resourceRequest) return `User ${goQuote(user.name)} cannot ${verb} path ${goQuote(path)}`;
  const target = subresource === '' ? resource : `${resource}/${subresource}`;
  const what =
    `User ${goQuote(user.name)} cannot ${verb} resource ` + `${goQuote(target)} in API group ${goQuote(apiGroup)}`;
  return namespace === '' ? `${what} at the cluster scope` : `${what} in the namespace ${goQuote(namespace)}`;
}
