import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.ts';

/** ResourceQuota: what its spec's endpoint does beyond the generic registry. */
export const resourceQuotaStrategy = specStrategy({ status: true, ...validated({ create: validateResourceQuota, update: validateResourceQuotaUpdate }) });

/** ResourceQuota's status endpoint. */
export const resourceQuotaStatusStrategy = statusStrategy({ hooks: validated({ update: validateResourceQuotaStatus }) });
