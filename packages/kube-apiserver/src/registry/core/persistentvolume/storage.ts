import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { persistentVolumeStrategy, persistentVolumeStatusStrategy } from './strategy.ts';

/** Serves persistentvolumes with status. */
export const persistentVolumeStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'persistentvolumes',
    strategy: persistentVolumeStrategy(context.clock),
    returnDeletedObject: true,
  });
  return [
    ['persistentvolumes', store],
    ['persistentvolumes/status', createStatusStorage(store, persistentVolumeStatusStrategy(context.clock))],
  ];
};
