import { Quantity } from '@kubechain/apimachinery';
import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';

/**
 * Requests that may grow beyond the limits of the same quota (WarningsOnCreate of pkg/registry/core/resourcequota,
 * 1.36).
 */
export function resourceQuotaWarnings({ spec }: ResourceQuota): string[] {
  const { hard = {} } = spec ?? {};
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const bare = resource === 'cpu' || resource === 'memory';
    const requestName = hard[`requests.${resource}`] === undefined && bare ? resource : `requests.${resource}`;
    const limitName = `limits.${resource}`;
    const request = hard[requestName];
    const limit = hard[limitName];
    if (request === undefined || limit === undefined || Quantity.parse(request).compare(Quantity.parse(limit)) <= 0)
      return [];
    return [`ResourceQuota ${requestName} (${request}) should be less than ${limitName} (${limit})`];
  });
}
