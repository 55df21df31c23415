import { createOnly } from '../../create-only.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { reviewSpec, reviewStatus, reviewUser, validateReview } from '../access-review.ts';

/** Answers whether somebody may do something. */
export const subjectAccessReviewStorage: StorageProvider = ({ authorizer }) => [
  [
    'subjectaccessreviews',
    createOnly({
      kind: 'SubjectAccessReview',
      singularName: 'subjectaccessreview',
      namespaced: false,
      check: (review) => validateReview(review, { subject: true }),
      answer: async (review) => {
        const spec = reviewSpec(review);
        return { ...review, status: await reviewStatus(authorizer, spec, reviewUser(spec)) };
      },
    }),
  ],
];
