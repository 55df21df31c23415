import { messageOf } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { TokenAuthenticator } from '@kubechain/apiserver/resources';
import { userInfoObject } from '../user-info.ts';

/** What a TokenReview asks. */
export interface TokenReviewSpec {
  token?: string;
  audiences?: string[];
}

/**
 * The status of a TokenReview: whose its token is, or what is wrong with it. What it does not say of a token that is
 * not accepted stays as it was sent (pkg/registry/authentication/tokenreview, 1.36).
 */
export async function reviewToken(
  authenticator: TokenAuthenticator,
  { audiences = [], token = '' }: TokenReviewSpec,
  sent: KubeObject | undefined,
): Promise<KubeObject> {
  const { authenticated: _, ...status } = { ...sent };
  try {
    const found = await authenticator.authenticateToken(token, audiences.length === 0 ? {} : { audiences });
    if (found === undefined) return status;
    const { audiences: bound, user } = found;
    const { audiences: _sent, ...kept } = status;
    return {
      ...kept,
      authenticated: true,
      user: userInfoObject(user),
      ...(bound === undefined ? {} : { audiences: [...bound] }),
    };
  } catch (error) {
    return { ...status, error: messageOf(error) };
  }
}
