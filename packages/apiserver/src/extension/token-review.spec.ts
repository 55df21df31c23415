import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import { isAuthenticationError } from '../authentication/authentication-error.ts';
import { tokenReviewAuthenticator } from './token-review.ts';

describe('tokenReviewAuthenticator', () => {
  const answering = (
    status: object,
  ): { readonly asked: KubeObject[]; readonly ask: (audiences?: readonly string[]) => Promise<unknown> } => {
    const asked: KubeObject[] = [];
    const authenticator = tokenReviewAuthenticator({
      create: (_path, object) => {
        asked.push(object);
        return Promise.resolve({ ...object, status });
      },
    });
    return {
      asked,
      ask: async (audiences) => authenticator.authenticateToken('secret', audiences === undefined ? {} : { audiences }),
    };
  };

  it('gives the user whom the main server names', async () => {
    const { ask, asked } = answering({
      authenticated: true,
      audiences: ['api'],
      user: { username: 'bob', uid: '7', groups: ['devs'], extra: { a: ['b'] } },
    });
    expect(await ask(['api'])).to.deep.equal({
      user: { name: 'bob', uid: '7', groups: ['devs'], extra: { a: ['b'] } },
      audiences: ['api'],
    });
    expect(asked[0]).to.deep.include({ kind: 'TokenReview', spec: { token: 'secret', audiences: ['api'] } });
  });
  it('knows nobody where the main server does not', async () => {
    expect(await answering({}).ask()).to.equal(undefined);
  });
  it('fails with its reason', async () => {
    const error: unknown = await answering({ error: 'token expired' })
      .ask()
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect([isAuthenticationError(error), (error as Error).message]).to.deep.equal([true, 'token expired']);
  });
});
