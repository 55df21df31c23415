import { createStatusStorage } from '@kubechain/apiserver';
import type { Store } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { resourceClaimStrategy, resourceClaimStatusStrategy } from './strategy.ts';

/** Serves resourceclaims with status. */
export const resourceClaimStorage: StorageProvider = (context) => {
  const namespaces = (): Store => context.storeOf('', 'namespaces');
  const store = context.store({
    group: 'resource.k8s.io',
    plural: 'resourceclaims',
    strategy: resourceClaimStrategy(namespaces),
    returnDeletedObject: true,
  });
  return [
    ['resourceclaims', store],
    ['resourceclaims/status', createStatusStorage(store, resourceClaimStatusStrategy(namespaces, context.authorizer))],
  ];
};
