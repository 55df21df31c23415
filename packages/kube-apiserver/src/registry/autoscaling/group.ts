import type { GroupProvider } from '../storage-provider.ts';
import { horizontalPodAutoscalerStorage } from './horizontalpodautoscaler/storage.ts';

/** The autoscaling group. */
export const autoscalingGroup: GroupProvider = {
  group: 'autoscaling',
  resources: [horizontalPodAutoscalerStorage],
};
