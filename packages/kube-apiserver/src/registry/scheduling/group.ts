import type { GroupProvider } from '../resource.ts';
import { priorityClassResource } from './priorityclass/resource.ts';

/** The scheduling.k8s.io group. */
export const schedulingGroup: GroupProvider = {
  group: 'scheduling.k8s.io',
  resources: [priorityClassResource],
};
