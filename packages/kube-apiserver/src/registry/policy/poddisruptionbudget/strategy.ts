import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** PodDisruptionBudget: what its spec's endpoint does beyond the generic registry. */
export const podDisruptionBudgetStrategy = specStrategy({ generation: 'spec', status: true, allowUnconditionalUpdate: false });

/** PodDisruptionBudget's status endpoint. */
export const podDisruptionBudgetStatusStrategy = statusStrategy();
