import { specStrategy } from '../../spec-strategy.ts';

/** PriorityClass: what its spec's endpoint does beyond the generic registry. */
export const priorityClassStrategy = specStrategy({ generation: 'creation' });
