import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { identityHeaders } from '@kubechain/apiserver';
import type { UserInfo } from '@kubechain/apiserver';
import { escapePath } from './outgoing-url.ts';

/** One request on its way to an extension API server. */
export interface OutgoingRequest {
  readonly request: IncomingMessage;
  /** `host:port` of the server. */
  readonly address: string;
  readonly user: UserInfo;
  readonly auditID: string;
  /** `Connection: Upgrade` and `Upgrade` are sent on. */
  readonly upgrade: boolean;
}

/** Headers that end here (RFC 9110 7.6.1, and net/http/httputil.ReverseProxy), and credentials for this server. */
const dropped: ReadonlySet<string> = new Set(['connection', 'proxy-connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'http2-settings', 'authorization', 'host']);

/**
 * What an extension API server gets to see: the client's headers without what could speak for a user, this process's
 * word on who the user is, and where the request came from (kube-aggregator's handler_proxy.go, 1.36).
 */
export function outgoingHeaders({ request, address, user, auditID, upgrade }: OutgoingRequest): OutgoingHttpHeaders {
  const { headers: received } = request;
  const named = new Set((received.connection ?? '').toLowerCase().split(',').map((name) => name.trim()));
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || dropped.has(name) || named.has(name) || name.startsWith(':') || name.startsWith('x-remote-') || name.startsWith('x-kubechain-') || name.startsWith('impersonate-')) continue;
    if (name === 'te' && !/(?:^|,)\s*trailers\b/i.test(String(value))) continue;
    headers[name] = name === 'te' ? 'trailers' : value;
  }
  const { pathname } = splitURL(request.url ?? '/');
  headers['host'] = address;
  headers['x-forwarded-for'] = forwardedFor(received, request.socket?.remoteAddress);
  // A connection that is handed over carries the client's own word on where it came from.
  if (!upgrade) Object.assign(headers, { 'x-forwarded-host': address, 'x-forwarded-proto': 'https', 'x-forwarded-uri': escapePath(pathname) });
  headers['audit-id'] = auditID;
  // Answers are unpacked for clients that did not ask for packed ones.
  if (!upgrade && received['accept-encoding'] === undefined && received.range === undefined && request.method !== 'HEAD') headers['accept-encoding'] = 'gzip';
  // The proxy takes a DELETE without a length for one without a body.
  if (request.method === 'DELETE' && received['content-length'] === undefined && hasBody(request)) headers['transfer-encoding'] = 'chunked';
  if (upgrade) Object.assign(headers, { connection: 'Upgrade', upgrade: received.upgrade });
  return Object.assign(headers, identityHeaders(user));
}

/** Whether a body of unknown length follows; HTTP/2 says with END_STREAM that none does. */
function hasBody(request: IncomingMessage): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return request.httpVersionMajor >= 2 && (request as IncomingMessage & { readonly stream?: { readonly endAfterHeaders?: boolean } }).stream?.endAfterHeaders !== true;
}

function splitURL(url: string): { readonly pathname: string } {
  const question = url.indexOf('?');
  return { pathname: question < 0 ? url : url.slice(0, question) };
}

function forwardedFor(received: IncomingHttpHeaders, remoteAddress: string | undefined): string {
  const before = received['x-forwarded-for'];
  const address = (remoteAddress ?? '').replace(/^::ffff:/, '');
  const chain = Array.isArray(before) ? before.join(', ') : before;
  return chain === undefined ? address : `${chain}, ${address}`;
}
