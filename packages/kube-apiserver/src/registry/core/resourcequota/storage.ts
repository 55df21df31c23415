import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { resourceQuotaStrategy, resourceQuotaStatusStrategy } from './strategy.ts';

/** Serves resourcequotas with status. */
export const resourceQuotaStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'resourcequotas',
    strategy: resourceQuotaStrategy,
    returnDeletedObject: true,
  });
  return [
    ['resourcequotas', store],
    ['resourcequotas/status', createStatusStorage(store, resourceQuotaStatusStrategy)],
  ];
};
