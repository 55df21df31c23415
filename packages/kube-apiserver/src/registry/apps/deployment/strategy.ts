import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateDeployment, validateDeploymentUpdate } from './validation.ts';

/** Deployment: what its spec's endpoint does beyond the generic registry. */
export const deploymentStrategy = specStrategy({ generation: 'spec', status: true, ...validated({ create: validateDeployment, update: validateDeploymentUpdate }) });

/** Deployment's status endpoint. */
export const deploymentStatusStrategy = statusStrategy({ keepLabels: true });
