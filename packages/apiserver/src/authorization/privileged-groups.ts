import { ALLOW, NO_OPINION } from './authorizer.ts';
import type { Authorizer } from './authorizer.ts';

/** Allows members of these groups everything. Source: authorization/authorizerfactory NewPrivilegedGroups. */
export function privilegedGroups(groups: readonly string[]): Authorizer {
  return { authorize: ({ user }) => (user.groups.some((group) => groups.includes(group)) ? ALLOW : NO_OPINION) };
}
