import type { GroupProvider } from '../storage-provider.ts';
import { priorityClassStorage } from './priorityclass/storage.ts';

/** The scheduling.k8s.io group. */
export const schedulingGroup: GroupProvider = {
  group: 'scheduling.k8s.io',
  resources: [priorityClassStorage],
};
