import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { podDisruptionBudgetStrategy, podDisruptionBudgetStatusStrategy } from './strategy.ts';

/** Serves poddisruptionbudgets with status. */
export const podDisruptionBudgetStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'policy',
    plural: 'poddisruptionbudgets',
    strategy: podDisruptionBudgetStrategy,
  });
  return [
    ['poddisruptionbudgets', store],
    ['poddisruptionbudgets/status', createStatusStorage(store, podDisruptionBudgetStatusStrategy)],
  ];
};
