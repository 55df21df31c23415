import type { StorageProvider } from '../../storage-provider.ts';
import { resourceClaimTemplateStrategy } from './strategy.ts';

/** Serves resourceclaimtemplates. */
export const resourceClaimTemplateStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'resource.k8s.io',
    plural: 'resourceclaimtemplates',
    strategy: resourceClaimTemplateStrategy(() => context.storeOf('', 'namespaces')),
    returnDeletedObject: true,
  });
  return [['resourceclaimtemplates', store]];
};
