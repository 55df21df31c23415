import { expect } from 'chai';
import type { AuthenticatedUser } from '../authenticator.ts';
import { cachedTokenAuthenticator } from './token-cache.ts';

describe('token cache', () => {
  let nowMs: number;
  let calls: string[];
  const clock = { now: () => nowMs };
  const alice: AuthenticatedUser = { user: { name: 'alice', groups: [] } };
  beforeEach(() => {
    nowMs = 0;
    calls = [];
  });
  const cached = (answer: () => AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>) =>
    cachedTokenAuthenticator(
      {
        authenticateToken: (token, options) => {
          calls.push([token, ...(options?.audiences ?? [])].join(' '));
          return answer();
        },
      },
      { successTTLMs: 10, clock },
    );

  it('asks once within the time, for each token and audience', async () => {
    const tokens = cached(() => Promise.resolve(alice));
    expect(await tokens.authenticateToken('a')).to.equal(alice);
    nowMs = 9;
    expect(tokens.authenticateToken('a')).to.equal(alice);
    await tokens.authenticateToken('b');
    await tokens.authenticateToken('a', { audiences: ['x'] });
    nowMs = 10;
    await tokens.authenticateToken('a');
    expect(calls).to.deep.equal(['a', 'b', 'a x', 'a']);
  });
  it('shares one check among those who ask meanwhile', async () => {
    const tokens = cached(() => new Promise((resolve) => setTimeout(() => resolve(alice), 2)));
    expect(await Promise.all([tokens.authenticateToken('a'), tokens.authenticateToken('a')])).to.deep.equal([
      alice,
      alice,
    ]);
    expect(calls).to.have.lengthOf(1);
  });
  it('keeps no failures', async () => {
    let good = false;
    const tokens = cached(() => (good ? alice : Promise.reject(new TypeError('bad'))));
    expect(await Promise.resolve(tokens.authenticateToken('a')).catch((error: Error) => error.message)).to.equal('bad');
    good = true;
    expect(await tokens.authenticateToken('a')).to.equal(alice);
    expect(await cached(() => undefined).authenticateToken('x')).to.equal(undefined);
  });
});
