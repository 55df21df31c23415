import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/**
 * Headers that end here (RFC 9110 7.6.1, and net/http/httputil.ReverseProxy), credentials for this server, and what its
 * own processes tell each other.
 */
const dropped: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'authorization',
  'host',
  'audit-id',
]);

/** What the front proxy says of a user, and nobody else may. */
const identity = /^x-remote-(?:user|uid|group|extra-)/;

/**
 * The client's headers for a server behind this one: without those of the connection, without anything that speaks
 * for a user, with X-Forwarded-For. Host is left to the caller, as are Connection and Upgrade.
 */
export function clientHeaders(request: IncomingMessage): OutgoingHttpHeaders {
  const { headers: received } = request;
  const named = new Set(
    (received.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(received)) {
    if (
      value === undefined ||
      dropped.has(name) ||
      named.has(name) ||
      name.startsWith(':') ||
      identity.test(name) ||
      name.startsWith('x-kubechain-') ||
      name.startsWith('impersonate-')
    )
      continue;
    if (name === 'user-agent' && value === '') continue;
    if (name === 'te' && !/(?:^|,)\s*trailers\b/i.test(String(value))) continue;
    headers[name] = name === 'te' ? 'trailers' : value;
  }
  const chain = forwardedFor(received, request.socket?.remoteAddress);
  if (chain !== '') headers['x-forwarded-for'] = chain;
  return headers;
}

/** Whether a body follows; HTTP/2 says with END_STREAM that none does. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['content-length'] !== undefined) return headers['content-length'] !== '0';
  if (headers['transfer-encoding'] !== undefined) return true;
  return (
    request.httpVersionMajor >= 2 &&
    (request as IncomingMessage & { readonly stream?: { readonly endAfterHeaders?: boolean } }).stream
      ?.endAfterHeaders !== true
  );
}

/** Answers are unpacked for clients that did not ask for packed ones, as Go's transport does it. */
export function unpacksAnswers({ headers, method }: IncomingMessage): boolean {
  return (headers['accept-encoding'] ?? '') === '' && headers.range === undefined && method !== 'HEAD';
}

/**
 * Processes of one chain talk over sockets without addresses; the first of them has told where the request came from.
 */
function forwardedFor(received: IncomingHttpHeaders, remoteAddress: string | undefined): string {
  const before = received['x-forwarded-for'];
  const address = (remoteAddress ?? '').replace(/^::ffff:/, '');
  const chain = Array.isArray(before) ? before.join(', ') : (before ?? '');
  return chain === '' ? address : address === '' ? chain : `${chain}, ${address}`;
}
