import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { cronJobStrategy, cronJobStatusStrategy } from './strategy.ts';

/** Serves cronjobs with status. */
export const cronJobStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'batch', plural: 'cronjobs', strategy: cronJobStrategy(context.capabilities) });
  return [
    ['cronjobs', store],
    ['cronjobs/status', createStatusStorage(store, cronJobStatusStrategy)],
  ];
};
