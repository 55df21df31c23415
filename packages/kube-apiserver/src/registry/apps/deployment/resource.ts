import { deploymentStrategy, deploymentStatusStrategy } from './strategy.ts';
import { defaultDeployment } from './defaults.ts';
import { printDeployment } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves deployments with status and scale. */
export const deploymentResource = storedResource({
  group: 'apps',
  plural: 'deployments',
  strategy: (context) => deploymentStrategy(context.capabilities),
  status: deploymentStatusStrategy,
  scale: 'object',
  defaults: { v1: defaultDeployment },
  row: printDeployment,
});
