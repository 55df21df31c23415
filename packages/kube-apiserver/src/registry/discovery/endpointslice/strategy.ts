import { FieldPath, ipWarnings, isDNS1123Subdomain } from '@kubechain/apimachinery';
import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { hasChanged, specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts';

const managedBy = 'endpointslice.kubernetes.io/managed-by';
/** They write addresses as they should be. */
const controllers: ReadonlySet<string> = new Set([
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
]);
const hostnameLabel = 'kubernetes.io/hostname';
const endpointsPath = FieldPath.of('endpoints');

/** EndpointSlice: labels count for its generation too (pkg/registry/discovery/endpointslice/strategy.go, 1.36). */
export const endpointSliceStrategy = specStrategy({
  generation: 'creation',
  prepareForCreate: (slice) => {
    dropTopology(slice as EndpointSlice);
  },
  prepareForUpdate: (slice, old) => {
    // What is dropped below counts as a change.
    if (slice.metadata !== undefined)
      slice.metadata.generation = (old.metadata?.generation ?? 0) + (hasChanged('object+labels', slice, old) ? 1 : 0);
    if (!semanticEqual(slice['endpoints'], old['endpoints']))
      dropTopology(slice as EndpointSlice, old as EndpointSlice);
  },
  ...validated({ create: (slice: EndpointSlice) => validateEndpointSlice(slice), update: validateEndpointSliceUpdate }),
  warningsOnCreate: (slice) => [
    ...(slice['addressType'] === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...addressWarnings(slice as EndpointSlice),
  ],
  warningsOnUpdate: (slice) => addressWarnings(slice as EndpointSlice),
});

/**
 * Topology labels cannot be written any more. Where an endpoint had named its node only there, and the old slice
 * knows that node, the name moves to where it belongs.
 */
function dropTopology(slice: EndpointSlice, old?: EndpointSlice): void {
  const known = new Set(
    (old?.endpoints ?? [])
      .map(({ deprecatedTopology }) => deprecatedTopology?.[hostnameLabel] ?? '')
      .filter((name) => name !== ''),
  );
  for (const endpoint of slice.endpoints ?? []) {
    const name = endpoint.deprecatedTopology?.[hostnameLabel];
    if (
      endpoint.nodeName === undefined &&
      name !== undefined &&
      known.has(name) &&
      isDNS1123Subdomain(name).length === 0
    )
      endpoint.nodeName = name;
    delete endpoint.deprecatedTopology;
  }
}

function addressWarnings({ endpoints, metadata }: EndpointSlice): string[] {
  if (controllers.has(metadata?.labels?.[managedBy] ?? '')) return [];
  return (endpoints ?? []).flatMap(({ addresses }, i) =>
    (addresses ?? []).flatMap((address, j) => ipWarnings(endpointsPath.index(i).child('addresses').index(j), address)),
  );
}
