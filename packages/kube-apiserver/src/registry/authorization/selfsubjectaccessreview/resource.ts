import { createOnly } from '../../create-only.ts';
import { answeredResource } from '../../resource.ts';
import { reviewSpec, reviewStatus, validateReview } from '../access-review.ts';

/** Answers whether the caller may do something. */
export const selfSubjectAccessReviewResource = answeredResource(({ authorizer, release }) => [
  [
    'selfsubjectaccessreviews',
    createOnly({
      kind: 'SelfSubjectAccessReview',
      singularName: 'selfsubjectaccessreview',
      namespaced: false,
      check: (review) => validateReview(review, { subject: false, release }),
      answer: async (review, _name, context) => ({
        ...review,
        status: await reviewStatus(authorizer, reviewSpec(review), context.request.user),
      }),
    }),
  ],
]);
