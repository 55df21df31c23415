import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { replicasScale } from '../../scale.ts';
import { statefulSetStrategy, statefulSetStatusStrategy } from './strategy.ts';

/** Serves statefulsets with status and scale. */
export const statefulSetStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'apps',
    plural: 'statefulsets',
    strategy: statefulSetStrategy(context.capabilities),
  });
  return [
    ['statefulsets', store],
    ['statefulsets/status', createStatusStorage(store, statefulSetStatusStrategy)],
    ['statefulsets/scale', replicasScale(store)],
  ];
};
