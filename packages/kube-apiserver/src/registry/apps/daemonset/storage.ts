import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { daemonSetStrategy, daemonSetStatusStrategy } from './strategy.ts';

/** Serves daemonsets with status. */
export const daemonSetStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'apps',
    plural: 'daemonsets',
    strategy: daemonSetStrategy(context.capabilities),
  });
  return [
    ['daemonsets', store],
    ['daemonsets/status', createStatusStorage(store, daemonSetStatusStrategy)],
  ];
};
