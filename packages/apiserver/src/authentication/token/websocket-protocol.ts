import type { IncomingMessage } from 'node:http';
import { isWebSocketRequest } from '../../streaming/web-socket-handshake.ts';
import { AuthenticationError } from '../authentication-error.ts';
import type { AuthenticatedUser, RequestAuthenticator, TokenAuthenticator } from '../authenticator.ts';

const PREFIX = 'base64url.bearer.authorization.k8s.io.';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Lets browsers, which cannot set headers on WebSockets, send the token as a subprotocol, next to at least one real
 * one.
 * On success the token's subprotocol is taken off the request.
 * Source: authentication/request/websocket.
 */
export function websocketProtocolAuthenticator(tokens: TokenAuthenticator): RequestAuthenticator {
  return {
    authenticate(request) {
      const header = request.headers['sec-websocket-protocol'];
      if (header === undefined || !header.includes(PREFIX) || !isWebSocketRequest(request)) return undefined;
      const { token, others } = split(header);
      if (token === '') return undefined;
      if (others.length === 0) throw new AuthenticationError('InvalidRequest', 'missing additional subprotocol');
      const outcome = tokens.authenticateToken(token);
      return outcome instanceof Promise
        ? outcome.then((known) => accept(request, known, others))
        : accept(request, outcome, others);
    },
  };
}

function split(header: string): { token: string; others: string[] } {
  let token = '';
  let seen = false;
  const others: string[] = [];
  for (const part of header.split(',')) {
    const protocol = part.trim();
    if (!protocol.startsWith(PREFIX)) {
      others.push(protocol);
      continue;
    }
    if (seen) throw new AuthenticationError('InvalidRequest', 'multiple base64.bearer.authorization tokens specified');
    seen = true;
    token = decode(protocol.slice(PREFIX.length));
  }
  return { token, others };
}

function decode(encoded: string): string {
  // Buffer skips what is not base64url; the reference refuses it.
  if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1)
    throw new AuthenticationError('InvalidRequest', 'invalid base64.bearer.authorization token encoding');
  try {
    return utf8.decode(Buffer.from(encoded, 'base64url'));
  } catch (cause) {
    throw new AuthenticationError('InvalidRequest', 'invalid base64.bearer.authorization token', { cause });
  }
}

function accept(
  request: IncomingMessage,
  known: AuthenticatedUser | undefined,
  others: readonly string[],
): AuthenticatedUser {
  if (known === undefined) throw new AuthenticationError('InvalidToken', 'invalid bearer token');
  request.headers['sec-websocket-protocol'] = others.join(',');
  return known;
}
