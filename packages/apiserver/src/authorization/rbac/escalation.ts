import { goQuote } from '@kubechain/apimachinery';
import { Stepwise, type Steps } from '../../request/stepwise.ts';
import type { UserInfo } from '../../request/user-info.ts';
import { PRIVILEGED_GROUP } from '../../authentication/well-known-users.ts';
import type { AuthorizationAttributes, Authorizer } from '../authorizer.ts';
import { describeRules, quoteList } from './describe-rules.ts';
import { RBAC_GROUP, type PolicyRule, type RoleRef } from './rbac-objects.ts';
import type { ResolvedRules } from './role-store.ts';
import { findUncovered } from './rule-covers.ts';

/** Where rules are looked up for these checks: a RoleStore filled from fresh lists (`readRoleStore`), or a live one. */
export interface PolicyRuleSource {
  policyRulesFor(user: UserInfo, namespace: string): ResolvedRules;
}

/** Members of system:masters are not checked. Source: pkg/registry/rbac/escalation_check.go EscalationAllowed. */
export function escalationAllowed(user: UserInfo): boolean {
  return user.groups.includes(PRIVILEGED_GROUP);
}

/**
 * Whether the user may write roles that grant more than they have (verb `escalate`). Source: RoleEscalationAuthorized.
 */
export async function roleEscalationAuthorized(
  authorizer: Authorizer,
  request: {
    readonly user: UserInfo;
    readonly resource: 'roles' | 'clusterroles';
    readonly name: string;
    readonly namespace: string;
  },
): Promise<boolean> {
  return allows(authorizer, { ...request, verb: 'escalate' });
}

/**
 * Whether the user may bind this role in `namespace` ('' = everywhere) without having its rights (verb `bind`). Source:
 * BindingAuthorized.
 */
export async function bindingAuthorized(
  authorizer: Authorizer,
  request: { readonly user: UserInfo; readonly roleRef: RoleRef; readonly namespace: string },
): Promise<boolean> {
  const { user, roleRef, namespace } = request;
  if (roleRef.kind !== 'ClusterRole' && roleRef.kind !== 'Role') return false;
  return allows(authorizer, {
    user,
    verb: 'bind',
    apiGroup: roleRef.apiGroup,
    resource: roleRef.kind === 'Role' ? 'roles' : 'clusterroles',
    name: roleRef.name,
    namespace,
  });
}

/** What is handed out, and where. */
export interface Grant {
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

/**
 * The rights that `user` would hand out without having them, as the message of a 403; undefined when there are none.
 * Callers make it `forbidden({ group, resource }, name, message)`. In steps, since there may be hundreds of thousands.
 * Source: pkg/registry/rbac/validation ConfirmNoEscalation.
 */
export function* findEscalation(
  source: PolicyRuleSource,
  user: UserInfo,
  { namespace, rules }: Grant,
): Steps<{ readonly message: string | undefined }> {
  const { rules: held, errors } = source.policyRulesFor(user, namespace);
  const { complete, rules: missing } = yield* findUncovered(held, rules);
  if (complete && missing.length === 0) return { message: undefined };
  const lines = describeRules(missing);
  if (!complete) lines.push('and others: there are too many to look at');
  const message =
    `user ${goQuote(user.name)} (groups=${quoteList(user.groups)}) is attempting to grant RBAC permissions not ` +
    `currently held:\n${lines.join('\n')}`;
  return {
    message:
      errors.length === 0
        ? message
        : `${message}; resolution errors: [${errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`}]`,
  };
}

/** The same at once. */
export function confirmNoEscalation(source: PolicyRuleSource, user: UserInfo, grant: Grant): string | undefined {
  return new Stepwise(findEscalation(source, user, grant)).makeNow().message;
}

/** What one must hold to write an aggregationRule. */
const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * True when the user holds everything, as writing an aggregationRule asks for. Source:
 * pkg/registry/rbac/clusterrole/policybased hasAggregationRule.
 */
export function mayAggregate(source: PolicyRuleSource, user: UserInfo): boolean {
  return confirmNoEscalation(source, user, { namespace: '', rules: FULL_AUTHORITY }) === undefined;
}

/** Said (as a 403) to those who may not. */
export const AGGREGATION_FORBIDDEN = 'must have cluster-admin privileges to use the aggregationRule';

async function allows(
  authorizer: Authorizer,
  request: {
    readonly user: UserInfo;
    readonly verb: string;
    readonly apiGroup?: string;
    readonly resource: string;
    readonly name: string;
    readonly namespace: string;
  },
): Promise<boolean> {
  const attributes: AuthorizationAttributes = {
    resourceRequest: true,
    path: '',
    apiVersion: '*',
    subresource: '',
    user: request.user,
    verb: request.verb,
    apiGroup: request.apiGroup ?? RBAC_GROUP,
    resource: request.resource,
    name: request.name,
    namespace: request.namespace,
  };
  return (await authorizer.authorize(attributes)).decision === 'Allow';
}
