import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { persistentVolumeClaimStrategy, persistentVolumeClaimStatusStrategy } from './strategy.ts';

/** Serves persistentvolumeclaims with status. */
export const persistentVolumeClaimStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'persistentvolumeclaims',
    strategy: persistentVolumeClaimStrategy,
    returnDeletedObject: true,
  });
  return [
    ['persistentvolumeclaims', store],
    ['persistentvolumeclaims/status', createStatusStorage(store, persistentVolumeClaimStatusStrategy)],
  ];
};
