import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** ResourceQuota: what its spec's endpoint does beyond the generic registry. */
export const resourceQuotaStrategy = specStrategy({ status: true });

/** ResourceQuota's status endpoint. */
export const resourceQuotaStatusStrategy = statusStrategy();
