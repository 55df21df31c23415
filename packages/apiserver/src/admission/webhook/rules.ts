import type { GroupVersionResource } from '@kubechain/apimachinery';
import type { AdmissionOperation } from '../admission.ts';

/** RuleWithOperations of webhooks and of admission policies. */
export interface AdmissionRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** `pods`, `pods/status`, `pods/*`, `*`, `*\/scale`, `*\/*`. */
  readonly resources?: readonly string[];
  readonly scope?: string;
}

/** What rules look at of a request. */
export interface RuleTarget {
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
}

/** Whether a rule speaks of a request (webhook/predicates/rules, 1.36). */
export function ruleMatches(rule: AdmissionRule, { namespace, operation, resource, subresource }: RuleTarget): boolean {
  return (
    scopeMatches(rule.scope, resource, namespace) &&
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, resource.resource, subresource))
  );
}

function has(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(value));
}

/** Requests for a namespace itself carry its name as their namespace, and are of the cluster. */
function scopeMatches(
  scope: string | undefined,
  { group, resource }: GroupVersionResource,
  namespace: string,
): boolean {
  const ofCluster = namespace === '' || (group === '' && resource === 'namespaces');
  switch (scope) {
    case undefined:
    case '*':
      return true;
    case 'Namespaced':
      return !ofCluster;
    case 'Cluster':
      return ofCluster;
    default:
      return false;
  }
}

function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const wanted = slash < 0 ? pattern : pattern.slice(0, slash);
  const wantedSub = slash < 0 ? '' : pattern.slice(slash + 1);
  return (wanted === '*' || wanted === resource) && (wantedSub === '*' || wantedSub === subresource);
}

const exemptKinds: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/** What webhooks never see: otherwise a bad one could not be removed. */
export function isExemptFromAdmission({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return group === 'admissionregistration.k8s.io' && exemptKinds.has(kind);
}
