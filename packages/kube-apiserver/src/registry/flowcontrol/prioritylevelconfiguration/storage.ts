import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { priorityLevelConfigurationStrategy, priorityLevelConfigurationStatusStrategy } from './strategy.ts';

/** Serves prioritylevelconfigurations with status. */
export const priorityLevelConfigurationStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'flowcontrol.apiserver.k8s.io',
    plural: 'prioritylevelconfigurations',
    strategy: priorityLevelConfigurationStrategy,
  });
  return [
    ['prioritylevelconfigurations', store],
    ['prioritylevelconfigurations/status', createStatusStorage(store, priorityLevelConfigurationStatusStrategy)],
  ];
};
