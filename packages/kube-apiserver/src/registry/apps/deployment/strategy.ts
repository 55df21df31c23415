import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** Deployment: what its spec's endpoint does beyond the generic registry. */
export const deploymentStrategy = specStrategy({ generation: 'spec', status: true });

/** Deployment's status endpoint. */
export const deploymentStatusStrategy = statusStrategy({ keepLabels: true });
