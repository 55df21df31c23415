import type { GroupProvider } from '../resource.ts';
import { compositePodGroupResource } from './compositepodgroup/resource.ts';
import { podGroupResource } from './podgroup/resource.ts';
import { priorityClassResource } from './priorityclass/resource.ts';
import { workloadResource } from './workload/resource.ts';

/** The scheduling.k8s.io group. */
export const schedulingGroup: GroupProvider = {
  group: 'scheduling.k8s.io',
  resources: [priorityClassResource, workloadResource, podGroupResource, compositePodGroupResource],
};
