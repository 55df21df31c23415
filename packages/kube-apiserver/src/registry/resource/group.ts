import type { GroupProvider } from '../storage-provider.ts';
import { deviceClassStorage } from './deviceclass/storage.ts';
import { resourceClaimStorage } from './resourceclaim/storage.ts';
import { resourceClaimTemplateStorage } from './resourceclaimtemplate/storage.ts';
import { resourceSliceStorage } from './resourceslice/storage.ts';

/** The resource.k8s.io group. */
export const resourceGroup: GroupProvider = {
  group: 'resource.k8s.io',
  resources: [deviceClassStorage, resourceClaimStorage, resourceClaimTemplateStorage, resourceSliceStorage],
};
