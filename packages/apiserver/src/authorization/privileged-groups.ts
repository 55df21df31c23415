import type { AuthorizationResult, Authorizer } from './authorizer.ts';

const ALLOW: AuthorizationResult = { decision: 'Allow', reason: '' };
const NO_OPINION: AuthorizationResult = { decision: 'NoOpinion', reason: '' };

/** Allows members of these groups everything. Source: authorization/authorizerfactory NewPrivilegedGroups. */
export function privilegedGroups(groups: readonly string[]): Authorizer {
  return { authorize: ({ user }) => (user.groups.some((group) => groups.includes(group)) ? ALLOW : NO_OPINION) };
}
