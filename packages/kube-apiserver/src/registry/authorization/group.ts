import type { GroupProvider } from '../resource.ts';
import { localSubjectAccessReviewResource } from './localsubjectaccessreview/resource.ts';
import { selfSubjectAccessReviewResource } from './selfsubjectaccessreview/resource.ts';
import { selfSubjectRulesReviewResource } from './selfsubjectrulesreview/resource.ts';
import { subjectAccessReviewResource } from './subjectaccessreview/resource.ts';

/** The authorization.k8s.io group. */
export const authorizationGroup: GroupProvider = {
  group: 'authorization.k8s.io',
  resources: [
    localSubjectAccessReviewResource,
    selfSubjectAccessReviewResource,
    selfSubjectRulesReviewResource,
    subjectAccessReviewResource,
  ],
};
