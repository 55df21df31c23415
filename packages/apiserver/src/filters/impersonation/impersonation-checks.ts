import { goQuote } from '@kubechain/apimachinery';
import type { UserInfo } from '../../request/user-info.ts';
import { serviceAccountGroups, splitServiceAccountUsername } from '../../authentication/service-account/username.ts';
import {
  ANONYMOUS_USER,
  AUTHENTICATED_GROUP,
  NODES_GROUP,
  NODE_USER_PREFIX,
  PRIVILEGED_GROUP,
  UNAUTHENTICATED_GROUP,
} from '../../authentication/well-known-users.ts';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.ts';
import { forbiddenError } from '../../authorization/forbidden.ts';
import type { WantedUser } from './impersonation-headers.ts';

/** From this many groups or extras on, one wildcard check is tried before one check each. */
const manyChecks = 4;

/** How one mode asks: `impersonate`, or `impersonate:user-info` and its like. */
export interface ImpersonationChecks {
  readonly authorizer: Authorizer;
  readonly requester: UserInfo;
  readonly verb: string;
  /** Constrained modes keep users and groups in authentication.k8s.io, and are stricter about values. */
  readonly constrained: boolean;
}

/**
 * Checks every part of the wanted user, and resolves to the user that it makes (mode.go impersonationModeState).
 * @throws StatusError 403 for the first part that is not allowed
 */
export async function authorizeWantedUser(checks: ImpersonationChecks, wanted: WantedUser): Promise<UserInfo> {
  let groups = await authorizeName(checks, wanted);
  if (wanted.uid !== '') await require(checks, { resource: 'uids', name: wanted.uid });
  await authorizeGroups(checks, wanted.groups);
  await authorizeExtra(checks, wanted.extra);
  if (wanted.name === ANONYMOUS_USER) groups = withGroup(groups, UNAUTHENTICATED_GROUP);
  else if (!groups.includes(UNAUTHENTICATED_GROUP)) groups = withGroup(groups, AUTHENTICATED_GROUP);
  return {
    name: wanted.name,
    groups,
    ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
    ...(wanted.extra.size === 0 ? {} : { extra: Object.fromEntries(wanted.extra) }),
  };
}

/** The name of a node in a user name that is valid as one; undefined for other users. */
export function nodeOfUsername(username: string): string | undefined {
  const name = username.startsWith(NODE_USER_PREFIX) ? username.slice(NODE_USER_PREFIX.length) : '';
  return name.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)
    ? name
    : undefined;
}

interface Asked {
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
  readonly subresource?: string;
}

function attributesOf(checks: ImpersonationChecks, asked: Asked): AuthorizationAttributes {
  // Legacy impersonation of users, groups and service accounts is in the core group, everything else in
  // authentication.k8s.io.
  const core = !checks.constrained && asked.resource !== 'uids' && asked.resource !== 'userextras';
  return {
    user: checks.requester,
    verb: checks.verb,
    resourceRequest: true,
    path: '',
    namespace: asked.namespace ?? '',
    apiGroup: core ? '' : 'authentication.k8s.io',
    apiVersion: 'v1',
    resource: asked.resource,
    subresource: asked.subresource ?? '',
    name: asked.name,
  };
}

async function allowed(checks: ImpersonationChecks, asked: Asked): Promise<boolean> {
  return (await checks.authorizer.authorize(attributesOf(checks, asked))).decision === 'Allow';
}

/** @throws StatusError 403 */
async function require(checks: ImpersonationChecks, asked: Asked): Promise<void> {
  const attributes = attributesOf(checks, asked);
  const { decision, reason } = await checks.authorizer.authorize(attributes);
  if (decision !== 'Allow') throw forbiddenError(attributes, reason);
}

/** Resolves to the groups that come with the name, or the wanted ones. */
async function authorizeName(checks: ImpersonationChecks, { name, groups }: WantedUser): Promise<readonly string[]> {
  const node = checks.constrained ? nodeOfUsername(name) : undefined;
  if (node !== undefined) {
    const asked = { resource: 'nodes', name: node };
    if (groups.length > 0)
      throw forbiddenError(
        attributesOf(checks, asked),
        `when impersonating a node, cannot impersonate groups ${goList(groups)}`,
      );
    await require(checks, asked);
    return [NODES_GROUP];
  }
  const account = splitServiceAccountUsername(name);
  if (account === undefined) {
    await require(checks, { resource: 'users', name });
    return groups;
  }
  const asked = { resource: 'serviceaccounts', name: account.name, namespace: account.namespace };
  if (checks.constrained && groups.length > 0)
    throw forbiddenError(
      attributesOf(checks, asked),
      `when impersonating a service account, cannot impersonate groups ${goList(groups)}`,
    );
  await require(checks, asked);
  return groups.length === 0 ? serviceAccountGroups(account.namespace) : groups;
}

async function authorizeGroups(checks: ImpersonationChecks, groups: readonly string[]): Promise<void> {
  if (checks.constrained && groups.length > 0) {
    if (groups.includes(''))
      throw forbiddenError(
        attributesOf(checks, { resource: 'groups', name: '' }),
        'impersonating the empty string group is not allowed',
      );
    if (groups.includes(PRIVILEGED_GROUP))
      throw forbiddenError(
        attributesOf(checks, { resource: 'groups', name: PRIVILEGED_GROUP }),
        'impersonating the system:masters group is not allowed',
      );
    if (groups.length >= manyChecks && (await allowed(checks, { resource: 'groups', name: '*' }))) return;
  }
  for (const name of groups) await require(checks, { resource: 'groups', name });
}

async function authorizeExtra(
  checks: ImpersonationChecks,
  extra: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (extra.size === 0) return;
  if (checks.constrained) {
    const problem = extraProblem(extra);
    if (problem !== undefined)
      throw forbiddenError(attributesOf(checks, { resource: 'userextras', name: '' }), problem);
    const count = [...extra.values()].reduce((sum, values) => sum + values.length, 0);
    if (
      (extra.size >= manyChecks || count >= manyChecks) &&
      (await allowed(checks, { resource: 'userextras', subresource: '*', name: '*' }))
    )
      return;
  }
  for (const [subresource, values] of extra)
    for (const name of values) await require(checks, { resource: 'userextras', subresource, name });
}

function extraProblem(extra: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/.+$/.test(key))
      return (
        `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${goQuote(key)}: must ` +
        'be a domain-prefixed path (such as "acme.io/foo")'
      );
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}

function goList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
