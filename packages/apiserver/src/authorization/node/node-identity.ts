import type { UserInfo } from '../../request/user-info.ts';
import { NODE_USER_PREFIX, NODES_GROUP } from '../../authentication/well-known-users.ts';

/**
 * The node that a user is: `system:node:NAME` in the group system:nodes. Undefined for others; '' for a node without
 * name. Source: pkg/auth/nodeidentifier.
 */
export function nodeNameOf(user: UserInfo): string | undefined {
  if (!user.name.startsWith(NODE_USER_PREFIX) || !user.groups.includes(NODES_GROUP)) return undefined;
  return user.name.slice(NODE_USER_PREFIX.length);
}
