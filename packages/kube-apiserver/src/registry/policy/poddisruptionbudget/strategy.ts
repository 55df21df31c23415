import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validatePodDisruptionBudget, validatePodDisruptionBudgetStatus } from './validation.ts';

/** PodDisruptionBudget: what its spec's endpoint does beyond the generic registry. */
export const podDisruptionBudgetStrategy = specStrategy({
  generation: 'spec',
  status: true,
  allowUnconditionalUpdate: false,
  rulesLeaveMetadata: true,
  ...validated({ create: validatePodDisruptionBudget, update: validatePodDisruptionBudget }),
});

/** PodDisruptionBudget's status endpoint. */
export const podDisruptionBudgetStatusStrategy = statusStrategy({
  hooks: {
    allowUnconditionalUpdate: false,
    updateChecksMetadata: [],
    ...validated({ update: validatePodDisruptionBudgetStatus }),
  },
});
