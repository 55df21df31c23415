import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { reviewToken } from './review-token.ts';

describe('reviewToken', () => {
  const authenticator = {
    authenticateToken: (token: string) => {
      if (token === 'bad') throw new TypeError('invalid bearer token');
      return token === 'known' ? { user: { name: 'u', groups: ['g'] } } : undefined;
    },
  };
  const sent: KubeObject = { authenticated: true, audiences: ['a'], user: { username: 'somebody' } };

  it('says whose the token is, and nothing of what was sent', async () => {
    expect(await reviewToken(authenticator, { token: 'known' }, sent)).to.deep.equal({
      authenticated: true,
      user: { username: 'u', groups: ['g'] },
    });
  });
  it('leaves what was sent beside what is wrong, but not that it is authenticated', async () => {
    const rest = { audiences: ['a'], user: { username: 'somebody' } };
    expect(await reviewToken(authenticator, { token: 'bad' }, sent)).to.deep.equal({
      ...rest,
      error: 'invalid bearer token',
    });
    expect(await reviewToken(authenticator, { token: 'unknown' }, sent)).to.deep.equal(rest);
    expect(await reviewToken(authenticator, { token: 'unknown' }, undefined)).to.deep.equal({});
  });
});
