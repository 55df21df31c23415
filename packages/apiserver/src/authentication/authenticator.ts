import type { IncomingMessage } from 'node:http';
import type { UserInfo } from '../request/user-info.ts';

export interface AuthenticatedUser {
  readonly user: UserInfo;
  /** Audiences the credential is good for; undefined where the method knows none. */
  readonly audiences?: readonly string[];
}

/**
 * Looks for its kind of credential on a request.
 * Resolves to undefined when there is none for it (the next one is asked) and rejects when there is one and it is bad
 * (the union remembers the error, asks the others, and fails with all errors if none succeeds).
 */
export interface RequestAuthenticator {
  authenticate(request: IncomingMessage): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>;
  /**
   * Why `authenticate` would throw, without throwing, where that is known already; undefined means that it has to be
   * asked. Throwing what most callers' certificates are refused with as front proxies would cost a request more than
   * all other questions.
   */
  knownRefusal?(request: IncomingMessage): Error | undefined;
}

/** The same for a bearer token alone (token files, service account JWTs, webhooks). */
export interface TokenAuthenticator {
  authenticateToken(
    token: string,
    options?: { readonly audiences?: readonly string[] },
  ): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>;
}
