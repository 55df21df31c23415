import { StatusError } from '@kubechain/apimachinery';
import type { AuthorizationAttributes } from '../../authorization/authorizer.ts';
import { goQuote } from './go-quote.ts';

/** The 403 for attributes that an authorizer did not allow (responsewriters.ForbiddenStatusError). */
export function forbiddenStatus(attributes: AuthorizationAttributes, reason: string): StatusError {
  const message = sanitize(forbiddenMessage(attributes)) + (reason === '' ? '' : `: ${reason}`);
  const { apiGroup, resource, name } = attributes;
  if (resource === '') return new StatusError({ status: 'Failure', message: `forbidden: ${message}`, reason: 'Forbidden', details: {}, code: 403 });
  const qualified = apiGroup === '' ? resource : `${resource}.${apiGroup}`;
  return new StatusError({
    status: 'Failure',
    message: name === '' ? `${qualified} is forbidden: ${message}` : `${qualified} ${goQuote(name)} is forbidden: ${message}`,
    reason: 'Forbidden',
    details: { ...(name === '' ? {} : { name }), ...(apiGroup === '' ? {} : { group: apiGroup }), kind: resource },
    code: 403,
  });
}

function forbiddenMessage({ user, verb, path, namespace, apiGroup, resource, subresource, resourceRequest }: AuthorizationAttributes): string {
  if (!resourceRequest) return `User ${goQuote(user.name)} cannot ${verb} path ${goQuote(path)}`;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `User ${goQuote(user.name)} cannot ${verb} resource ${goQuote(full)} in API group ${goQuote(apiGroup)} ${scope}`;
}

/** Errors must not look like HTML to a browser; quotes are fine. */
function sanitize(text: string): string {
  return /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
}
