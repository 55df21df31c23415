import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { replicasScale } from '../../scale.ts';
import { deploymentStrategy, deploymentStatusStrategy } from './strategy.ts';

/** Serves deployments with status and scale. */
export const deploymentStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'apps',
    plural: 'deployments',
    strategy: deploymentStrategy(context.capabilities),
  });
  return [
    ['deployments', store],
    ['deployments/status', createStatusStorage(store, deploymentStatusStrategy)],
    ['deployments/scale', replicasScale(store)],
  ];
};
