import type { GroupProvider } from '../resource.ts';
import { selfSubjectReviewResource } from './selfsubjectreview/resource.ts';
import { tokenReviewResource } from './tokenreview/resource.ts';

/** The authentication.k8s.io group. */
export const authenticationGroup: GroupProvider = {
  group: 'authentication.k8s.io',
  resources: [selfSubjectReviewResource, tokenReviewResource],
};
