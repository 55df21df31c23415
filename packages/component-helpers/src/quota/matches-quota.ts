import type { KubeObject } from '@kubechain/apimachinery';
import type { QuotaEvaluator, ScopeRequirement } from './quota-evaluator.ts';

/** What of a quota says which objects it counts. */
export interface QuotaScopes {
  readonly scopes?: readonly string[];
  readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] };
}

/** The scopes of a quota, those of its list and those of its selector. */
export function scopesOf(spec: QuotaScopes | undefined): ScopeRequirement[] {
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
}

/** Whether a quota that limits these names counts an object. */
export function matchesQuota(
  evaluator: QuotaEvaluator,
  quota: { readonly spec: QuotaScopes | undefined; readonly names: readonly string[] },
  object: KubeObject,
): boolean {
  return (
    evaluator.matchingResources(quota.names).length > 0 &&
    scopesOf(quota.spec).every((scope) => evaluator.matchesScope(scope, object))
  );
}
