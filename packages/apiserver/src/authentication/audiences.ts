import { AuthenticationError } from './authentication-error.ts';
import type { AuthenticatedUser, TokenAuthenticator } from './authenticator.ts';

/** Those of `wanted` that are in `offered`, as often and in the order in which they are wanted. */
export function intersectAudiences(offered: readonly string[], wanted: readonly string[]): readonly string[] {
  return wanted.filter((audience) => offered.includes(audience));
}

/**
 * True when the credential may be used here; a server or a method that knows no audiences accepts all. Source:
 * filters/authentication.go audiencesAreAcceptable.
 */
export function audiencesAreAcceptable(
  apiAudiences: readonly string[],
  audiences: readonly string[] | undefined,
): boolean {
  return (
    apiAudiences.length === 0 ||
    audiences === undefined ||
    audiences.length === 0 ||
    intersectAudiences(apiAudiences, audiences).length > 0
  );
}

/**
 * Binds a method that knows no audiences (token files) to this server's: asked for others only, it has nothing to say.
 * Source: authenticator.WrapAudienceAgnosticToken.
 */
export function audienceAgnosticToken(
  delegate: TokenAuthenticator,
  apiAudiences: readonly string[],
): TokenAuthenticator {
  if (apiAudiences.length === 0) return delegate;
  // A stranger's objects are never changed: audiences are added to a copy, made once per user.
  const withAudiences = new WeakMap<AuthenticatedUser, AuthenticatedUser>();
  const stamp = (user: AuthenticatedUser | undefined, audiences: readonly string[]): AuthenticatedUser | undefined => {
    if (user === undefined) return undefined;
    if (user.audiences !== undefined && user.audiences.length > 0) {
      throw new AuthenticationError(
        'InvalidToken',
        'audience agnostic authenticator wrapped an authenticator that returned audiences: ' +
          `${JSON.stringify(user.audiences)}`,
      );
    }
    if (audiences !== apiAudiences) return { user: user.user, audiences };
    let stamped = withAudiences.get(user);
    if (stamped === undefined) withAudiences.set(user, (stamped = { user: user.user, audiences }));
    return stamped;
  };
  return {
    authenticateToken(token, options) {
      const wanted = options?.audiences;
      const audiences = wanted === undefined ? apiAudiences : intersectAudiences(apiAudiences, wanted);
      if (audiences.length === 0) return undefined;
      const result = delegate.authenticateToken(token, options);
      return result instanceof Promise ? result.then((user) => stamp(user, audiences)) : stamp(result, audiences);
    },
  };
}
