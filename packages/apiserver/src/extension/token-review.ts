import type { KubeObject } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication/authentication-error.ts';
import type { TokenAuthenticator } from '../authentication/authenticator.ts';
import type { UserInfo } from '../request/user-info.ts';
import type { KubeClient } from './kube-client.ts';

interface TokenReview extends KubeObject {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly error?: string;
    readonly audiences?: readonly string[];
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

/**
 * Bearer tokens as the main API server knows them: one TokenReview for each
 * (apiserver/plugin/pkg/authenticator/token/webhook, 1.36). Put a cache in front.
 */
export function tokenReviewAuthenticator(client: Pick<KubeClient, 'create'>): TokenAuthenticator {
  return {
    async authenticateToken(token, options) {
      const audiences = options?.audiences;
      const review = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        metadata: {},
        spec: { token, ...(audiences === undefined ? {} : { audiences }) },
      };
      const { status } = (await client.create('/apis/authentication.k8s.io/v1/tokenreviews', review)) as TokenReview;
      if (status?.authenticated !== true) {
        if (status?.error !== undefined && status.error !== '')
          throw new AuthenticationError('InvalidToken', status.error);
        return undefined;
      }
      const { username = '', uid = '', groups = [], extra } = status.user ?? {};
      const user: UserInfo = {
        name: username,
        groups,
        ...(uid === '' ? {} : { uid }),
        ...(extra === undefined ? {} : { extra }),
      };
      return { user, ...(status.audiences === undefined ? {} : { audiences: status.audiences }) };
    },
  };
}
