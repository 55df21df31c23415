import type { AuthenticatedUser, TokenAuthenticator } from '../authenticator.ts';
import type { UserInfo } from '../../request/user-info.ts';

/** Knows one token: the server's own loopback credential. */
export function staticTokenAuthenticator(token: string, user: UserInfo): TokenAuthenticator {
  const known: AuthenticatedUser = { user };
  return { authenticateToken: (candidate) => (candidate === token ? known : undefined) };
}
