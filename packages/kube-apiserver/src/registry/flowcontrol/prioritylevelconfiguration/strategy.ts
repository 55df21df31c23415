import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** PriorityLevelConfiguration: what its spec's endpoint does beyond the generic registry. */
export const priorityLevelConfigurationStrategy = specStrategy({ generation: 'spec', status: true });

/** PriorityLevelConfiguration's status endpoint. */
export const priorityLevelConfigurationStatusStrategy = statusStrategy({ resetMetadata: true });
