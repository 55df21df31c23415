import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { replicasScale } from '../../scale.ts';
import { replicaSetStrategy, replicaSetStatusStrategy } from './strategy.ts';

/** Serves replicasets with status and scale. */
export const replicaSetStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'apps',
    plural: 'replicasets',
    strategy: replicaSetStrategy(context.capabilities),
  });
  return [
    ['replicasets', store],
    ['replicasets/status', createStatusStorage(store, replicaSetStatusStrategy)],
    ['replicasets/scale', replicasScale(store)],
  ];
};
