import type { GroupProvider } from '../resource.ts';
import { runtimeClassResource } from './runtimeclass/resource.ts';

/** The node.k8s.io group. */
export const nodeGroup: GroupProvider = {
  group: 'node.k8s.io',
  resources: [runtimeClassResource],
};
