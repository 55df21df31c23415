import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.ts';
import { resourceQuotaWarnings } from './warnings.ts';

/** ResourceQuota: what its spec's endpoint does beyond the generic registry. */
export const resourceQuotaStrategy = specStrategy({
  status: true,
  ...validated({ create: validateResourceQuota, update: validateResourceQuotaUpdate }),
  warningsOnCreate: (quota) => resourceQuotaWarnings(quota as ResourceQuota),
});

/** ResourceQuota's status endpoint. */
export const resourceQuotaStatusStrategy = statusStrategy({
  hooks: validated({ update: validateResourceQuotaStatus }),
});
