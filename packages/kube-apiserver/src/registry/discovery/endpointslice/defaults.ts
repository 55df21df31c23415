import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';

/** Defaults of endpoint slices (pkg/apis/discovery/v1, 1.36). */
export function defaultEndpointSlice(slice: EndpointSlice): void {
  for (const port of slice.ports ?? []) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}
