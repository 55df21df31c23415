import { Quantity } from '@kubechain/apimachinery';
import { one } from './quota-evaluator.ts';
import type { Amounts } from './amounts.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import type { Service } from '@kubechain/apimachinery/types/core/v1';

const counted: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Services, their load balancers and their node ports (pkg/quota/v1/evaluator/core/services.go, 1.36). */
export const serviceEvaluator: QuotaEvaluator = {
  handles: ({ subresource }) => subresource === '',
  matchingResources: (names) => names.filter((name) => counted.has(name)),
  matchesScope: () => false,
  usage: (object) => usage(object as Service),
};

function usage({ spec }: Service): Amounts {
  const ports = spec?.ports ?? [];
  const result = new Map([
    ['services', one],
    ['count/services', one],
  ]);
  switch (spec?.type) {
    case 'NodePort':
      return result.set('services.nodeports', new Quantity(BigInt(ports.length)));
    case 'LoadBalancer': {
      const counting =
        spec.allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort = 0 }) => nodePort !== 0) : ports;
      return result.set('services.loadbalancers', one).set('services.nodeports', new Quantity(BigInt(counting.length)));
    }
    default:
      return result;
  }
}
