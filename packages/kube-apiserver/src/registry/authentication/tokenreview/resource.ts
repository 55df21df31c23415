import { badRequest, messageOf } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { createOnly } from '../../create-only.ts';
import { answeredResource } from '../../resource.ts';
import { userInfoObject } from '../user-info.ts';

interface TokenReviewSpec {
  token?: string;
  audiences?: string[];
}

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
        const { token = '', audiences = [] } = review['spec'] as TokenReviewSpec;
        let status: KubeObject;
        try {
          const found = await tokenAuthenticator.authenticateToken(token, audiences.length === 0 ? {} : { audiences });
          status =
            found === undefined
              ? {}
              : {
                  authenticated: true,
                  user: userInfoObject(found.user),
                  ...(found.audiences === undefined ? {} : { audiences: [...found.audiences] }),
                };
        } catch (error) {
          status = { error: messageOf(error) };
        }
        return { ...review, status };
      },
    }),
  ],
]);
