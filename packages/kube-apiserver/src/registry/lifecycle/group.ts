import type { GroupProvider } from '../resource.ts';
import { evictionResource } from './eviction/resource.ts';
import { evictionRequestResource } from './evictionrequest/resource.ts';

/** The lifecycle.k8s.io group. */
export const lifecycleGroup: GroupProvider = {
  group: 'lifecycle.k8s.io',
  resources: [evictionResource, evictionRequestResource],
};
