import type { Endpoints } from '@kubechain/apimachinery/types/core/v1';

/** Defaults of endpoints (pkg/apis/core/v1, 1.36). */
export function defaultEndpoints(endpoints: Endpoints): void {
  for (const subset of endpoints.subsets ?? []) for (const port of subset.ports ?? []) port.protocol ||= 'TCP';
}
