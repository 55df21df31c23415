import type { StorageProvider } from '../../storage-provider.ts';
import { priorityClassStrategy } from './strategy.ts';

/** Serves priorityclasses. */
export const priorityClassStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'scheduling.k8s.io', plural: 'priorityclasses', strategy: priorityClassStrategy });
  return [['priorityclasses', store]];
};
