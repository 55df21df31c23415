import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { posix } from 'node:path';
import { clientHeaders, escapePath, identityHeaders, originForm, unpacksAnswers } from '@kubechain/apiserver/proxies';
import type { UserInfo } from '@kubechain/apiserver/resources';

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

/**
 * What an extension API server gets to see: the client's headers without what could speak for a user, this process's
 * word on who the user is, and where the request came from (kube-aggregator's handler_proxy.go, 1.36).
 */
export function outgoingHeaders({ request, address, user, auditID, upgrade }: OutgoingRequest): OutgoingHttpHeaders {
  const headers = clientHeaders(request);
  headers['host'] = address;
  // A connection that is handed over carries the client's own word on where it came from.
  if (!upgrade)
    Object.assign(headers, {
      'x-forwarded-host': address,
      'x-forwarded-proto': 'https',
      'x-forwarded-uri': forwardedURI(request.url ?? '/'),
    });
  headers['audit-id'] = auditID;
  if (!upgrade && unpacksAnswers(request)) headers['accept-encoding'] = 'gzip';
  if (upgrade) Object.assign(headers, { connection: request.headers.connection, upgrade: request.headers.upgrade });
  return Object.assign(headers, identityHeaders(user));
}

/** The path as the reference joins it: without `.`, `..` and doubled slashes. */
function forwardedURI(url: string): string {
  const path = escapePath(originForm(url).split('?', 1)[0] ?? '');
  const joined = posix.join('/', path);
  return path.endsWith('/') && !joined.endsWith('/') ? `${joined}/` : joined;
}
