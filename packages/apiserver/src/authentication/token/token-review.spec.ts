import { expect } from 'chai';
import { StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { isAuthenticationError } from '../authentication-error.ts';
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
  it('takes tokens without audiences for those of the server, where there are some', async () => {
    const of = (audiences: readonly string[] | undefined, wanted: readonly string[]): unknown =>
      tokenReviewAuthenticator(
        {
          create: (path, object) => {
            expect([path, object.apiVersion]).to.deep.equal(['', 'authentication.k8s.io/v1beta1']);
            return Promise.resolve({
              ...object,
              status: {
                authenticated: true,
                user: { username: 'bob' },
                ...(audiences === undefined ? {} : { audiences }),
              },
            });
          },
        },
        { path: '', version: 'v1beta1', implicitAudiences: ['api'] },
      ).authenticateToken('secret', { audiences: wanted });
    const bob = { user: { name: 'bob', groups: [] } };
    expect(await of(undefined, ['api', 'x'])).to.deep.equal({ ...bob, audiences: ['api'] });
    expect(await of(['x', 'y'], ['api', 'x'])).to.deep.equal({ ...bob, audiences: ['x'] });
    expect(await of(undefined, ['x'])).to.equal(undefined);
  });
  it('asks again where that may help, and waits for longer each time', async () => {
    const waits: number[] = [];
    let left = 4;
    const authenticator = tokenReviewAuthenticator(
      {
        create: (_path, object) =>
          left-- > 0
            ? Promise.reject(new StatusError({ status: 'Failure', code: 500, message: 'later' }))
            : Promise.resolve({ ...object, status: { authenticated: true, user: { username: 'bob' } } }),
      },
      { sleep: (delayMs) => Promise.resolve(void waits.push(delayMs)) },
    );
    expect(await authenticator.authenticateToken('secret')).to.deep.include({ user: { name: 'bob', groups: [] } });
    expect(waits).to.deep.equal([500, 750, 1125, 1687.5]);
  });
  for (const [code, attempts] of [
    [500, 5],
    [429, 5],
    [504, 5],
    [403, 1],
  ] as const)
    it(`gives up after ${attempts} answers of ${code}`, async () => {
      let asked = 0;
      const authenticator = tokenReviewAuthenticator(
        {
          create: () => {
            asked++;
            return Promise.reject(new StatusError({ status: 'Failure', code, message: 'no' }));
          },
        },
        { sleep: () => Promise.resolve() },
      );
      const error: unknown = await Promise.resolve(authenticator.authenticateToken('secret')).catch((reason) => reason);
      expect([asked, (error as Error).message]).to.deep.equal([attempts, 'no']);
    });
});
