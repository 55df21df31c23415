import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.ts';
import { resourceQuotaWarnings } from './warnings.ts';
import { defaultResourceQuota } from './defaults.ts';
import { printResourceQuota } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves resourcequotas with status. */
export const resourceQuotaResource = storedResource({
  group: '',
  plural: 'resourcequotas',
  returnDeletedObject: true,
  strategy: specStrategy({
    status: true,
    ...validated({ create: validateResourceQuota, update: validateResourceQuotaUpdate }),
    warningsOnCreate: (quota) => resourceQuotaWarnings(quota as ResourceQuota),
  }),
  status: statusStrategy({
    hooks: validated({ update: validateResourceQuotaStatus }),
  }),
  defaults: { v1: defaultResourceQuota },
  row: printResourceQuota,
});
