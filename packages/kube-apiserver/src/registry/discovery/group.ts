import type { GroupProvider } from '../resource.ts';
import { endpointSliceResource } from './endpointslice/resource.ts';

/** The discovery.k8s.io group. */
export const discoveryGroup: GroupProvider = {
  group: 'discovery.k8s.io',
  resources: [endpointSliceResource],
};
