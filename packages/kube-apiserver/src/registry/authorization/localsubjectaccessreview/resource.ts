import { badRequest } from '@kubechain/apimachinery';
import { createOnly } from '../../create-only.ts';
import { answeredResource } from '../../resource.ts';
import { reviewSpec, reviewStatus, reviewUser, validateReview } from '../access-review.ts';

/** Answers whether somebody may do something in one namespace. */
export const localSubjectAccessReviewResource = answeredResource(({ authorizer, release }) => [
  [
    'localsubjectaccessreviews',
    createOnly({
      kind: 'LocalSubjectAccessReview',
      singularName: 'localsubjectaccessreview',
      namespaced: true,
      check: (review, _name, context) => {
        validateReview(review, { subject: true, local: true, release });
        if (context.namespace === '') throw badRequest('namespace is required on this type: ');
        if (context.namespace !== (review.metadata?.namespace ?? '')) {
          throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${context.namespace}`);
        }
      },
      answer: async (review) => {
        const spec = reviewSpec(review);
        return { ...review, status: await reviewStatus(authorizer, spec, reviewUser(spec)) };
      },
    }),
  ],
]);
