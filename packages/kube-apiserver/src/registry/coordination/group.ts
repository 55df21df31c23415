import type { GroupProvider } from '../storage-provider.ts';
import { leaseStorage } from './lease/storage.ts';

/** The coordination.k8s.io group. */
export const coordinationGroup: GroupProvider = {
  group: 'coordination.k8s.io',
  resources: [leaseStorage],
};
