import type { IncomingMessage } from 'node:http';
import type { AuthenticatedUser, RequestAuthenticator } from '../authenticator.ts';
import { STANDARD_REQUEST_HEADERS, type RequestHeaderNames } from './request-header.ts';

/**
 * Takes the headers that --requestheader-*-headers name off every request that was let in, by whatever method: behind
 * this server (extension servers, kubelets, the next process) they would be believed to be this server's word. The
 * standard ones are never forwarded from a client, so they need no look here.
 * Source: endpoints/filters/authentication.go (1.36) ClearAuthenticationHeaders.
 */
export function strippingIdentity(
  authenticator: RequestAuthenticator,
  names: RequestHeaderNames,
): RequestAuthenticator {
  const named = new Set([...names.username, ...names.uid, ...names.group].filter((name) => !isStandard(name)));
  const prefixes = names.extraPrefixes.filter((prefix) => !isStandard(prefix));
  if (named.size === 0 && prefixes.length === 0) return authenticator;
  const speaksForUser = (name: string): boolean =>
    named.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const strip = (request: IncomingMessage, known: AuthenticatedUser | undefined): AuthenticatedUser | undefined => {
    if (known !== undefined) stripHeaders(request, speaksForUser);
    return known;
  };
  return {
    authenticate(request) {
      const outcome = authenticator.authenticate(request);
      return outcome instanceof Promise ? outcome.then((known) => strip(request, known)) : strip(request, outcome);
    },
    ...(authenticator.knownRefusal === undefined
      ? {}
      : { knownRefusal: authenticator.knownRefusal.bind(authenticator) }),
  };
}

function isStandard(name: string): boolean {
  const { username, uid, group, extraPrefixes } = STANDARD_REQUEST_HEADERS;
  return [...username, ...uid, ...group].includes(name) || extraPrefixes.some((prefix) => name.startsWith(prefix));
}

/** Out of both forms: `headers` goes to extension servers, `rawHeaders` to the next process. */
function stripHeaders({ headers, rawHeaders }: IncomingMessage, isStripped: (name: string) => boolean): void {
  for (const name of Object.keys(headers)) if (isStripped(name)) delete headers[name];
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2)
    if (isStripped(rawHeaders[i]!.toLowerCase())) rawHeaders.splice(i, 2);
}
