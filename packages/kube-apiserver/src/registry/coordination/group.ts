import type { GroupProvider } from '../resource.ts';
import { leaseCandidateResource } from './leasecandidate/resource.ts';
import { leaseResource } from './lease/resource.ts';

/** The coordination.k8s.io group. */
export const coordinationGroup: GroupProvider = {
  group: 'coordination.k8s.io',
  resources: [leaseResource, leaseCandidateResource],
};
