import type { GroupProvider } from '../storage-provider.ts';
import { localSubjectAccessReviewStorage } from './localsubjectaccessreview/storage.ts';
import { selfSubjectAccessReviewStorage } from './selfsubjectaccessreview/storage.ts';
import { selfSubjectRulesReviewStorage } from './selfsubjectrulesreview/storage.ts';
import { subjectAccessReviewStorage } from './subjectaccessreview/storage.ts';

/** The authorization.k8s.io group. */
export const authorizationGroup: GroupProvider = {
  group: 'authorization.k8s.io',
  resources: [
    localSubjectAccessReviewStorage,
    selfSubjectAccessReviewStorage,
    selfSubjectRulesReviewStorage,
    subjectAccessReviewStorage,
  ],
};
