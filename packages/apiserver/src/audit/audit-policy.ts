import { trimEndOf } from '@kubechain/apimachinery';
import type { AuthorizationAttributes } from '../authorization/authorizer.ts';
import type { AuditDecision, AuditLevel, AuditStage } from '../request/audit-decision.ts';

/** audit.k8s.io/v1 PolicyRule. Absent lists match everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly {
    readonly group?: string;
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** audit.k8s.io/v1 Policy, checked. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/**
 * Makes a policy a function: the first rule that matches decides, and nothing is recorded when none does
 * (audit/policy/checker.go).
 */
export function compileAuditPolicy(policy: AuditPolicy): (attributes: AuthorizationAttributes) => AuditDecision {
  const compiled = policy.rules.map((rule) => ({
    rule,
    decision: {
      level: rule.level,
      omitStages: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
    },
  }));
  const nothing: AuditDecision = {
    level: 'None',
    omitStages: new Set(policy.omitStages),
    omitManagedFields: policy.omitManagedFields ?? false,
  };
  return (attributes) => compiled.find(({ rule }) => matches(rule, attributes))?.decision ?? nothing;
}

function matches(rule: AuditRule, attributes: AuthorizationAttributes): boolean {
  if (some(rule.users) && !rule.users.includes(attributes.user.name)) return false;
  if (some(rule.userGroups) && !attributes.user.groups.some((group) => rule.userGroups?.includes(group))) return false;
  if (some(rule.verbs) && !rule.verbs.includes(attributes.verb)) return false;
  if (some(rule.namespaces) || some(rule.resources)) return matchesResource(rule, attributes);
  if (some(rule.nonResourceURLs))
    return !attributes.resourceRequest && rule.nonResourceURLs.some((spec) => pathMatches(attributes.path, spec));
  return true;
}

function some<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function pathMatches(path: string, spec: string): boolean {
  return spec === '*' || spec === path || (spec.endsWith('*') && path.startsWith(trimEndOf(spec, '*')));
}

function matchesResource(
  rule: AuditRule,
  { resourceRequest, namespace, apiGroup, resource, subresource, name }: AuthorizationAttributes,
): boolean {
  if (!resourceRequest) return false;
  if (some(rule.namespaces) && !rule.namespaces.includes(namespace)) return false;
  if (!some(rule.resources)) return true;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return rule.resources.some((wanted) => {
    const group = wanted.group ?? '';
    if (group !== apiGroup && group !== '*') return false;
    if (!some(wanted.resources)) return true;
    if (some(wanted.resourceNames) && !wanted.resourceNames.includes(name)) return false;
    return wanted.resources.some(
      (spec) =>
        spec === combined ||
        spec === '*' ||
        (subresource !== '' && spec === `*/${subresource}`) ||
        spec === `${resource}/*`,
    );
  });
}
