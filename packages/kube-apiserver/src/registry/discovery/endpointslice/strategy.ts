import { FieldPath, ipWarnings } from '@kubechain/apimachinery';
import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts';

const managedBy = 'endpointslice.kubernetes.io/managed-by';
/** They write addresses as they should be. */
const controllers: ReadonlySet<string> = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']);
const endpointsPath = FieldPath.of('endpoints');

/** EndpointSlice: labels count for its generation too (pkg/registry/discovery/endpointslice/strategy.go, 1.36). */
export const endpointSliceStrategy = specStrategy({
  generation: 'object+labels', ...validated({ create: (slice: EndpointSlice) => validateEndpointSlice(slice), update: validateEndpointSliceUpdate }),
  warningsOnCreate: (slice) => [...(slice['addressType'] === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []), ...addressWarnings(slice as EndpointSlice)],
  warningsOnUpdate: (slice) => addressWarnings(slice as EndpointSlice),
});

function addressWarnings({ endpoints, metadata }: EndpointSlice): string[] {
  if (controllers.has(metadata?.labels?.[managedBy] ?? '')) return [];
  return (endpoints ?? []).flatMap(({ addresses }, i) => (addresses ?? []).flatMap((address, j) => ipWarnings(endpointsPath.index(i).child('addresses').index(j), address)));
}
