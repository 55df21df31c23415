import { FieldPath, ipWarnings } from '@kubechain/apimachinery';
import type { Endpoints } from '@kubechain/apimachinery/types/core/v1';

const managedBy = 'endpoints.kubernetes.io/managed-by';
/** It writes addresses as they should be. */
const controller = 'endpoint-controller';
const subsetsPath = FieldPath.of('subsets');

/** What is odd about addresses (endpointsWarnings of pkg/registry/core/endpoint/strategy.go, 1.36). */
export function endpointsWarnings({ metadata, subsets }: Endpoints): string[] {
  if (metadata?.labels?.[managedBy] === controller) return [];
  return (subsets ?? []).flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip }, j) =>
        ipWarnings(subsetsPath.index(i).child(list).index(j).child('ip'), ip ?? ''),
      ),
    ),
  );
}
