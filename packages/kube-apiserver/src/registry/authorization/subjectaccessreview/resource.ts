import { createOnly } from '../../create-only.ts';
import { answeredResource } from '../../resource.ts';
import { reviewSpec, reviewStatus, reviewUser, validateReview } from '../access-review.ts';

/** Answers whether somebody may do something. */
export const subjectAccessReviewResource = answeredResource(({ authorizer, release }) => [
  [
    'subjectaccessreviews',
    createOnly({
      kind: 'SubjectAccessReview',
      singularName: 'subjectaccessreview',
      namespaced: false,
      check: (review) => validateReview(review, { subject: true, release }),
      answer: async (review) => {
        const spec = reviewSpec(review);
        return { ...review, status: await reviewStatus(authorizer, spec, reviewUser(spec)) };
      },
    }),
  ],
]);
