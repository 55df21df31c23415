import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validatePriorityLevelConfiguration, validatePriorityLevelConfigurationStatus } from './validation.ts';

/** PriorityLevelConfiguration: what its spec's endpoint does beyond the generic registry. */
export const priorityLevelConfigurationStrategy = specStrategy({
  generation: 'spec',
  status: true,
  ...validated({ create: validatePriorityLevelConfiguration, update: validatePriorityLevelConfiguration }),
});

/** PriorityLevelConfiguration's status endpoint. */
export const priorityLevelConfigurationStatusStrategy = statusStrategy({
  resetMetadata: 'whole',
  hooks: validated({ update: validatePriorityLevelConfigurationStatus }),
});
