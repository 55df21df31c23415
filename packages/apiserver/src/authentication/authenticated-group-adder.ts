import type { AuthenticatedUser, RequestAuthenticator } from './authenticator.ts';
import { ANONYMOUS_USER, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP } from './well-known-users.ts';

/**
 * The identities that methods hand out again and again (token file, token cache, x509) get their copy with the group
 * once.
 */
const withGroup = new WeakMap<AuthenticatedUser, AuthenticatedUser>();

/**
 * Puts known callers into `system:authenticated`, unless they say themselves whether they are. Source:
 * authentication/group.
 */
export function addAuthenticatedGroup(known: AuthenticatedUser): AuthenticatedUser {
  const cached = withGroup.get(known);
  if (cached !== undefined) return cached;
  const { user } = known;
  let result = known;
  if (
    user.name !== ANONYMOUS_USER &&
    !user.groups.includes(AUTHENTICATED_GROUP) &&
    !user.groups.includes(UNAUTHENTICATED_GROUP)
  ) {
    result = { ...known, user: { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] } };
  }
  withGroup.set(known, result);
  return result;
}

export function authenticatedGroupAdder(delegate: RequestAuthenticator): RequestAuthenticator {
  return {
    authenticate(request) {
      const outcome = delegate.authenticate(request);
      if (outcome instanceof Promise)
        return outcome.then((known) => (known === undefined ? undefined : addAuthenticatedGroup(known)));
      return outcome === undefined ? undefined : addAuthenticatedGroup(outcome);
    },
  };
}
