import { NO_OPINION } from '../authorizer.ts';
import { aggregateMessage } from '../../authentication/authentication-error.ts';
import type { UserInfo } from '../../request/user-info.ts';
import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  NonResourceRule,
  ResourceRule,
  RuleResolver,
} from '../authorizer.ts';
import type { RoleStore } from './role-store.ts';
import { ruleAllows } from './rule-allows.ts';
import { applyingSubject, type CompiledBinding } from './subject-index.ts';

/**
 * --authorization-mode=RBAC over a RoleStore. Synchronous and never denies: what no rule allows is left to the next.
 * Source: plugin/pkg/auth/authorizer/rbac.
 */
export class RBACAuthorizer implements Authorizer, RuleResolver {
  readonly #store: RoleStore;
  constructor(store: RoleStore) {
    this.#store = store;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult {
    const { user, namespace } = attributes;
    const missing: string[] = [];
    const index = this.#store.clusterIndex;
    let allowed = this.#search(index.forUser(user.name), { attributes, namespace: '', missing });
    for (const group of user.groups) {
      if (allowed !== undefined) return allowed;
      allowed = this.#search(index.forGroup(group), { attributes, namespace: '', missing });
    }
    if (allowed !== undefined) return allowed;
    const local = namespace === '' ? undefined : this.#store.namespaceIndex(namespace);
    if (local !== undefined) {
      allowed = this.#search(local.forUser(user.name), { attributes, namespace, missing });
      for (const group of user.groups) {
        if (allowed !== undefined) return allowed;
        allowed = this.#search(local.forGroup(group), { attributes, namespace, missing });
      }
      if (allowed !== undefined) return allowed;
    }
    return missing.length === 0 ? NO_OPINION : { decision: 'NoOpinion', reason: `RBAC: ${aggregateMessage(missing)}` };
  }

  rulesFor(user: UserInfo, namespace: string): ReturnType<RuleResolver['rulesFor']> {
    const { rules, errors } = this.#store.policyRulesFor(user, namespace);
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
      if (resources !== undefined && resources.length > 0) {
        resourceRules.push({
          verbs,
          ...(apiGroups === undefined ? {} : { apiGroups }),
          resources,
          ...(resourceNames === undefined || resourceNames.length === 0 ? {} : { resourceNames }),
        });
      }
      if (nonResourceURLs !== undefined && nonResourceURLs.length > 0)
        nonResourceRules.push({ verbs, nonResourceURLs });
    }
    return {
      resourceRules,
      nonResourceRules,
      incomplete: false,
      evaluationError: errors.length === 0 ? '' : aggregateMessage(errors),
    };
  }

  #search(
    bindings: ReadonlySet<CompiledBinding>,
    search: { readonly attributes: AuthorizationAttributes; readonly namespace: string; readonly missing: string[] },
  ): AuthorizationResult | undefined {
    for (const binding of bindings) {
      const rules = this.#store.roleReferenceRules(binding.roleRef, search.namespace);
      if ('missing' in rules) {
        search.missing.push(rules.missing);
        continue;
      }
      for (const rule of rules) {
        if (ruleAllows(rule, search.attributes)) return applyingSubject(binding, search.attributes.user)?.allow;
      }
    }
    return undefined;
  }
}
