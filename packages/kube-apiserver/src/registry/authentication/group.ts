import type { GroupProvider } from '../storage-provider.ts';
import { selfSubjectReviewStorage } from './selfsubjectreview/storage.ts';
import { tokenReviewStorage } from './tokenreview/storage.ts';

/** The authentication.k8s.io group. */
export const authenticationGroup: GroupProvider = {
  group: 'authentication.k8s.io',
  resources: [selfSubjectReviewStorage, tokenReviewStorage],
};
