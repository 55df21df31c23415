import type { GroupProvider } from '../storage-provider.ts';
import { endpointSliceStorage } from './endpointslice/storage.ts';

/** The discovery.k8s.io group. */
export const discoveryGroup: GroupProvider = {
  group: 'discovery.k8s.io',
  resources: [endpointSliceStorage],
};
