import { ALLOW } from '../authorizer.ts';
import type { UserInfo } from '../../request/user-info.ts';
import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  NonResourceRule,
  ResourceRule,
  RuleResolver,
} from '../authorizer.ts';

/** One line of a policy file, in the form that all versions are brought to. Empty texts match nothing else. */
export interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const NO_OPINION: AuthorizationResult = { decision: 'NoOpinion', reason: 'No policy matched.' };
const readVerbs: readonly string[] = ['get', 'list', 'watch'];
const allVerbs: readonly string[] = ['*'];

/**
 * --authorization-mode=ABAC: allows what one of its policies does, and has no opinion on anything else.
 * Source: pkg/auth/authorizer/abac.
 */
export class PolicyList implements Authorizer, RuleResolver {
  readonly #policies: readonly Policy[];

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult {
    return this.#policies.some((policy) => matches(policy, attributes)) ? ALLOW : NO_OPINION;
  }

  rulesFor(user: UserInfo, namespace: string): ReturnType<RuleResolver['rulesFor']> {
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    for (const policy of this.#policies) {
      if (!isSubject(policy, user) || !isOrAny(policy.namespace, namespace)) continue;
      const verbs = policy.readonly ? readVerbs : allVerbs;
      if (policy.resource !== '')
        resourceRules.push({ verbs, apiGroups: [policy.apiGroup], resources: [policy.resource] });
      if (policy.nonResourcePath !== '') nonResourceRules.push({ verbs, nonResourceURLs: [policy.nonResourcePath] });
    }
    return { resourceRules, nonResourceRules, incomplete: false, evaluationError: '' };
  }
}

function matches(policy: Policy, attributes: AuthorizationAttributes): boolean {
  if (!isSubject(policy, attributes.user)) return false;
  if (policy.readonly && !readVerbs.includes(attributes.verb)) return false;
  return attributes.resourceRequest
    ? isOrAny(policy.namespace, attributes.namespace) &&
        isOrAny(policy.resource, attributes.resource) &&
        isOrAny(policy.apiGroup, attributes.apiGroup)
    : isPath(policy.nonResourcePath, attributes.path);
}

/** User and group must both match where both are given; a policy with neither is nobody's. */
function isSubject({ group, user }: Policy, { groups, name }: UserInfo): boolean {
  if (user !== '' && !isOrAny(user, name)) return false;
  if (group !== '' && group !== '*' && !groups.includes(group)) return false;
  return user !== '' || group !== '';
}

function isOrAny(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value;
}

function isPath(pattern: string, path: string): boolean {
  return isOrAny(pattern, path) || (pattern.endsWith('*') && path.startsWith(withoutStars(pattern)));
}

function withoutStars(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end--;
  return pattern.slice(0, end);
}
