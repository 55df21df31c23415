import type { Clock } from '@kubechain/apimachinery';
import { objectCountEvaluator } from './quota-evaluator.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { claimEvaluator } from './claim-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { resourceClaimEvaluator } from './resource-claim-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

/** Resources that were counted before all could be, under their bare names. */
const aliased = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'] as const;

/** Evaluators of built-in resources by `resource.group`; all others are counted. */
export function quotaEvaluators(clock: Clock): ReadonlyMap<string, QuotaEvaluator> {
  return new Map([
    ['pods.', podEvaluator(clock)],
    ['services.', serviceEvaluator],
    ['persistentvolumeclaims.', claimEvaluator],
    ['resourceclaims.resource.k8s.io', resourceClaimEvaluator],
    ...aliased.map((resource) => [`${resource}.`, objectCountEvaluator({ group: '', resource }, resource)] as const),
  ]);
}
