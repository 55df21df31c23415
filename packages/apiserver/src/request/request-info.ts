import { unescapePath } from '@kubechain/apimachinery';
import type { RequestInfo } from './request-context.ts';

/** A path that looks like a resource request but cannot be one; answered 500 as upstream does. */
export class RequestInfoError extends Error {
  override readonly name = 'RequestInfoError';
}

/** A request target that is no URL (bad percent encoding); answered 400 before anything else looks at it. */
export class BadRequestTargetError extends Error {
  override readonly name = 'BadRequestTargetError';
}

/** A request target taken apart; `path` is percent-decoded, `search` is not. */
export interface RequestTarget {
  readonly path: string;
  readonly search: string;
}

/** What a path does not stand for as it is: escapes, and bytes beyond ASCII. */
const escaped = /[%\u0080-\u00FF]/;

/**
 * Path and query of a request line's target; absolute forms (`http://host/path`) lose their origin,
 * and may have no path at all.
 * @throws BadRequestTargetError
 */
export function parseRequestTarget(target: string): RequestTarget {
  let rest = target;
  if (target.charCodeAt(0) !== 0x2f) {
    const origin = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]*/.exec(target);
    if (origin === null) return { path: target, search: '' };
    rest = target.slice(origin[0].length);
  }
  const question = rest.indexOf('?');
  const path = question < 0 ? rest : rest.slice(0, question);
  return { path: escaped.test(path) ? decodePath(path) : path, search: question < 0 ? '' : rest.slice(question + 1) };
}

function decodePath(path: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(path)) throw new BadRequestTargetError('400 Bad Request');
  return unescapePath(path);
}

class ParsedRequestInfo implements RequestInfo {
  isResourceRequest = false;
  path: string;
  verb: string;
  apiPrefix = '';
  apiGroup = '';
  apiVersion = '';
  namespace = '';
  resource = '';
  subresource = '';
  name = '';
  parts: readonly string[] = noParts;
  verbInPath = false;
  insideNamespace = false;
  declare fieldSelector?: string;
  declare labelSelector?: string;
  constructor(path: string, verb: string) {
    this.path = path;
    this.verb = verb;
  }
}

const noParts: readonly string[] = [];
const verbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/**
 * What a method, a decoded path and a query mean; `query` is asked for only where it matters (requests without a name).
 * Follows apiserver/pkg/endpoints/request/requestinfo.go of 1.36, odd corners included.
 * @throws RequestInfoError for a special verb (`/api/v1/watch`) without anything after it
 */
export function parseRequestInfo(method: string, path: string, query: () => URLSearchParams): RequestInfo {
  const info = new ParsedRequestInfo(path, method.toLowerCase());
  const parts = splitPath(path);
  if (parts.length < 3) return info;
  const prefix = parts[0] as string;
  if (prefix !== 'api' && prefix !== 'apis') return info;
  info.apiPrefix = prefix;
  let at = 1;
  if (prefix === 'apis') {
    if (parts.length < 4) return info;
    info.apiGroup = parts[at++] as string;
  }
  info.isResourceRequest = true;
  info.apiVersion = parts[at++] as string;

  const first = parts[at] as string;
  if (first === 'watch' || first === 'proxy') {
    if (parts.length - at < 2) throw new RequestInfoError(`unable to determine kind and namespace from url, ${path}`);
    info.verb = first;
    info.verbInPath = true;
    at++;
  } else {
    info.verb = verbs.get(method) ?? '';
  }

  if (parts[at] === 'namespaces' && parts.length - at > 1) {
    info.namespace = parts[at + 1] as string;
    const next = parts[at + 2];
    // `status` and `finalize` are the namespace's own subresources, anything else is a resource inside it.
    info.insideNamespace = next !== undefined && next !== 'status' && next !== 'finalize';
    if (info.insideNamespace) at += 2;
  }
  info.parts = parts.slice(at);
  info.resource = info.parts[0] ?? '';
  info.name = info.parts[1] ?? '';
  if (info.verb !== 'proxy') info.subresource = info.parts[2] ?? '';

  if (info.name === '' && info.verb === 'get') resolveListOrWatch(info, query());
  if (info.name === '' && info.verb === 'delete') info.verb = 'deletecollection';
  // The deprecated verb in the path has no consistent selectors, so authorization must not rely on them.
  if (!info.verbInPath && (info.verb === 'list' || info.verb === 'watch' || info.verb === 'deletecollection')) {
    const parameters = query();
    const fieldSelector = parameters.get('fieldSelector');
    const labelSelector = parameters.get('labelSelector');
    if (fieldSelector !== null) info.fieldSelector = fieldSelector;
    if (labelSelector !== null) info.labelSelector = labelSelector;
  }
  return info;
}

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 0x2f) start++;
  while (end > start && path.charCodeAt(end - 1) === 0x2f) end--;
  return start === end ? [] : path.slice(start, end).split('/');
}

function resolveListOrWatch(info: ParsedRequestInfo, query: URLSearchParams): void {
  const watch = query.get('watch');
  info.verb = watch === null || watch === '0' || watch.toLowerCase() === 'false' ? 'list' : 'watch';
  const selector = query.get('fieldSelector');
  if (selector === null || !selector.includes('metadata.name') || !decodable(query)) return;
  const name = exactName(selector);
  if (name !== undefined && isPathSegmentName(name)) info.name = name;
}

/** Whether ListOptions would decode; when they do not, upstream forgets the selector too. */
function decodable(query: URLSearchParams): boolean {
  for (const parameter of ['limit', 'timeoutSeconds']) {
    const value = query.get(parameter);
    if (value !== null && value !== '' && !/^[+-]?\d+$/.test(value)) return false;
  }
  return true;
}

/** The value that a field selector demands of metadata.name (`metadata.name=x` or `==`), or undefined. */
function exactName(selector: string): string | undefined {
  for (const term of selector.split(/(?<!\\),/)) {
    const match = /^metadata\.name==?((?:[^=].*)?)$/s.exec(term);
    if (match !== null) return (match[1] ?? '').replaceAll(/\\([\\,=])/g, '$1');
  }
  return undefined;
}

function isPathSegmentName(name: string): boolean {
  return name !== '.' && name !== '..' && !name.includes('/') && !name.includes('%');
}
