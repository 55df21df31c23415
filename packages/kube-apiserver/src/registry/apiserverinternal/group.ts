import type { GroupProvider } from '../resource.ts';
import { storageVersionResource } from './storageversion/resource.ts';

/** The internal.apiserver.k8s.io group. */
export const apiserverInternalGroup: GroupProvider = {
  group: 'internal.apiserver.k8s.io',
  resources: [storageVersionResource],
};
