import { FormatError } from '@kubechain/apimachinery';
import type { RequestInfo } from './request-context.ts';

/** Whether a request is meant by a pattern. */
export type RequestPattern = (info: RequestInfo) => boolean;

/**
 * Reads `VERB RESOURCE[.GROUP][/SUBRESOURCE] [[NAMESPACE/]NAME]`, or `VERB /path`; `*` stands for anything:
 * `create deployments.apps`, `* pods/status default/web`, `get /version`. A resource without group is of any.
 * @throws FormatError in words for the user
 */
export function parseRequestPattern(text: string): RequestPattern {
  const [verb = '', what = '', which = '*', ...more] = text.trim().split(/\s+/);
  if (verb === '' || what === '' || more.length > 0)
    throw new FormatError("must be 'VERB RESOURCE [NAMESPACE/NAME]', e.g. 'create deployments.apps'");
  const verbMatches = matcher(verb.toLowerCase());
  if (what.startsWith('/')) return (info) => !info.isResourceRequest && verbMatches(info.verb) && info.path === what;
  const [resource = '', subresource = ''] = what.split('/', 2);
  const dot = resource.indexOf('.');
  const plural = matcher(dot < 0 ? resource : resource.slice(0, dot));
  const group = matcher(dot < 0 ? '*' : resource.slice(dot + 1));
  const slash = which.indexOf('/');
  const namespace = matcher(slash < 0 ? '*' : which.slice(0, slash));
  const name = matcher(which.slice(slash + 1));
  return (info) =>
    info.isResourceRequest &&
    verbMatches(info.verb) &&
    plural(info.resource) &&
    group(info.apiGroup) &&
    (subresource === '*' || info.subresource === subresource) &&
    namespace(info.namespace) &&
    name(info.name);
}

function matcher(wanted: string): (found: string) => boolean {
  return (found) => wanted === '*' || found === wanted;
}
