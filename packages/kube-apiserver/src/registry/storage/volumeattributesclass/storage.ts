import type { StorageProvider } from '../../storage-provider.ts';
import { volumeAttributesClassStrategy } from './strategy.ts';

/** Serves volumeattributesclasses. */
export const volumeAttributesClassStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'storage.k8s.io',
    plural: 'volumeattributesclasses',
    strategy: volumeAttributesClassStrategy,
    returnDeletedObject: true,
  });
  return [['volumeattributesclasses', store]];
};
