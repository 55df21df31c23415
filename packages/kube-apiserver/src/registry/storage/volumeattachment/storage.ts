import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { volumeAttachmentStrategy, volumeAttachmentStatusStrategy } from './strategy.ts';

/** Serves volumeattachments with status. */
export const volumeAttachmentStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'storage.k8s.io',
    plural: 'volumeattachments',
    strategy: volumeAttachmentStrategy,
    returnDeletedObject: true,
  });
  return [
    ['volumeattachments', store],
    ['volumeattachments/status', createStatusStorage(store, volumeAttachmentStatusStrategy)],
  ];
};
