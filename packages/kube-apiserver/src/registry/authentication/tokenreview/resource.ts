import { badRequest } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { createOnly } from '../../create-only.ts';
import { answeredResource } from '../../resource.ts';
import { reviewToken, type TokenReviewSpec } from './review-token.ts';

/** Tells whose a token is (pkg/registry/authentication/tokenreview, 1.36). */
export const tokenReviewResource = answeredResource(({ tokenAuthenticator }) => [
  [
    'tokenreviews',
    createOnly({
      kind: 'TokenReview',
      singularName: 'tokenreview',
      namespaced: false,
      check: (review) => {
        if (((review['spec'] as TokenReviewSpec | undefined)?.token ?? '') === '')
          throw badRequest('token is required for TokenReview in authentication');
      },
      answer: async (review) => {
        if (tokenAuthenticator === undefined) return review;
        const sent = review['status'] as KubeObject | undefined;
        return { ...review, status: await reviewToken(tokenAuthenticator, review['spec'] as TokenReviewSpec, sent) };
      },
    }),
  ],
]);
