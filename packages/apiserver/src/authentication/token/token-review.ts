import type { KubeObject } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';
import type { TokenAuthenticator } from '../authenticator.ts';
import type { UserInfo } from '../../request/user-info.ts';
import type { KubeClient } from '../../rest-client/kube-client.ts';
import { withRetries } from '../../rest-client/with-retries.ts';

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

/** Where and how tokens are asked about, in place of the main API server's own resource. */
export interface TokenReviewOptions {
  /** Default /apis/authentication.k8s.io/v1/tokenreviews; '' is the client's address as it stands. */
  readonly path?: string;
  /** Of the review. Default v1. */
  readonly version?: 'v1' | 'v1beta1';
  /** Of tokens for which the answer names no audiences. Default: whatever it says is taken as it is. */
  readonly implicitAudiences?: readonly string[];
  /** Asks again where that may help, waiting by this. Default: asks once. */
  readonly sleep?: (delayMs: number) => Promise<void>;
}

/**
 * Bearer tokens as another server knows them: one TokenReview for each
 * (apiserver/plugin/pkg/authenticator/token/webhook, 1.36). Put a cache in front.
 */
export function tokenReviewAuthenticator(
  client: Pick<KubeClient, 'create'>,
  options: TokenReviewOptions = {},
): TokenAuthenticator {
  const { implicitAudiences, path = '/apis/authentication.k8s.io/v1/tokenreviews', sleep, version = 'v1' } = options;
  return {
    async authenticateToken(token, { audiences: wanted } = {}) {
      const review = {
        apiVersion: `authentication.k8s.io/${version}`,
        kind: 'TokenReview',
        metadata: {},
        spec: { token, ...(wanted === undefined ? {} : { audiences: wanted }) },
      };
      const ask = (): Promise<KubeObject> => client.create(path, review);
      const { status } = (await (sleep === undefined ? ask() : withRetries(ask, sleep))) as TokenReview;
      let audiences = status?.audiences;
      if (implicitAudiences !== undefined && wanted !== undefined) {
        const given = audiences === undefined || audiences.length === 0 ? implicitAudiences : audiences;
        audiences = wanted.filter((audience) => given.includes(audience));
        if (audiences.length === 0) return undefined;
      }
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
      return { user, ...(audiences === undefined ? {} : { audiences }) };
    },
  };
}
