import type { StorageProvider } from '../../storage-provider.ts';
import { podTemplateStrategy } from './strategy.ts';

/** Serves podtemplates. */
export const podTemplateStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'podtemplates',
    strategy: podTemplateStrategy(context.capabilities),
    returnDeletedObject: true,
  });
  return [['podtemplates', store]];
};
