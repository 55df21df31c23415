import type { GroupProvider } from '../resource.ts';
import { horizontalPodAutoscalerResource } from './horizontalpodautoscaler/resource.ts';

/** The autoscaling group. */
export const autoscalingGroup: GroupProvider = {
  group: 'autoscaling',
  resources: [horizontalPodAutoscalerResource],
};
