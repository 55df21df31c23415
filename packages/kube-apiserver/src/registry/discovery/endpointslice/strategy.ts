import { specStrategy } from '../../spec-strategy.ts';

/** EndpointSlice: what its spec's endpoint does beyond the generic registry. */
export const endpointSliceStrategy = specStrategy({
  generation: 'object',
  warningsOnCreate: (slice) => (slice['addressType'] === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
});
