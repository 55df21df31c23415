import type { GroupProvider } from '../storage-provider.ts';
import { runtimeClassStorage } from './runtimeclass/storage.ts';

/** The node.k8s.io group. */
export const nodeGroup: GroupProvider = {
  group: 'node.k8s.io',
  resources: [runtimeClassStorage],
};
