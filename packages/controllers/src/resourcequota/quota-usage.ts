import type { Quantity } from '@kubechain/apimachinery';
import { Quantity as Amount, type KubeObject } from '@kubechain/apimachinery';
import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import { addAmounts, maskAmounts, matchesQuota, type QuotaEvaluator } from '@kubechain/component-helpers';

/** A resource that a quota counts: what its objects use, and those in the quota's namespace. */
export interface CountedResource {
  readonly evaluator: QuotaEvaluator;
  readonly objects: readonly object[];
}

const zero = new Amount(0n);

/** What a quota's objects use of what it limits, of the resources given (quota/v1's CalculateUsage). */
export function quotaUsage(quota: ResourceQuota, counted: readonly CountedResource[]): Map<string, Quantity> {
  const names = Object.keys(quota.spec?.hard ?? {});
  let usage = new Map<string, Quantity>();
  for (const { evaluator, objects } of counted) {
    const own = evaluator.matchingResources(names);
    if (own.length === 0) continue;
    let used = new Map<string, Quantity>(own.map((name) => [name, zero]));
    for (const object of objects as readonly KubeObject[])
      if (matchesQuota(evaluator, { spec: quota.spec as never, names }, object))
        used = addAmounts(used, evaluator.usage(object));
    usage = addAmounts(usage, maskAmounts(used, new Set(own)));
  }
  return usage;
}
