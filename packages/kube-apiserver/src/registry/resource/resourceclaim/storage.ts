import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { resourceClaimStrategy, resourceClaimStatusStrategy } from './strategy.ts';

/** Serves resourceclaims with status. */
export const resourceClaimStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'resource.k8s.io', plural: 'resourceclaims', strategy: resourceClaimStrategy, returnDeletedObject: true });
  return [
    ['resourceclaims', store],
    ['resourceclaims/status', createStatusStorage(store, resourceClaimStatusStrategy)],
  ];
};
