import type { IncomingMessage } from 'node:http';
import { findRequestContext } from '../../request/request-context.ts';
import { AuthenticationError } from '../authentication-error.ts';
import type { AuthenticatedUser, RequestAuthenticator, TokenAuthenticator } from '../authenticator.ts';

/** Said to clients that put two spaces after `Bearer`: they are taken as having sent no token. */
const EXTRA_SPACE_WARNING =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * Reads `Authorization: Bearer TOKEN`. A token that nobody knows is an error, never anonymous; on success the header is
 * taken off the request, so that nothing behind can pass it on.
 * Source: authentication/request/bearertoken.
 */
export function bearerTokenAuthenticator(tokens: TokenAuthenticator): RequestAuthenticator {
  return {
    authenticate(request) {
      const header = request.headers.authorization;
      if (header === undefined) return undefined;
      const token = tokenInHeader(header);
      if (token === undefined) return undefined;
      if (token === '') {
        findRequestContext(request)?.addWarning(EXTRA_SPACE_WARNING);
        return undefined;
      }
      const outcome = tokens.authenticateToken(token);
      return outcome instanceof Promise ? outcome.then((known) => accept(request, known)) : accept(request, outcome);
    },
  };
}

/** The token of an `Authorization` header; empty where two spaces stand before it, undefined where there is none. */
export function tokenInHeader(header: string): string | undefined {
  const [scheme = '', token] = header.trim().split(' ', 3);
  return scheme.toLowerCase() === 'bearer' ? token : undefined;
}

function accept(request: IncomingMessage, known: AuthenticatedUser | undefined): AuthenticatedUser {
  if (known === undefined) throw new AuthenticationError('InvalidToken', 'invalid bearer token');
  delete request.headers.authorization;
  return known;
}
