import { expect } from 'chai';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { AuthenticatedUser } from '../authenticator.ts';
import { cachedTokenAuthenticator } from './token-cache.ts';
import { TokenCacheMetrics } from './token-cache-metrics.ts';

describe('token cache', () => {
  let nowMs: number;
  let calls: string[];
  const clock = { now: () => nowMs };
  const alice: AuthenticatedUser = { user: { name: 'alice', groups: [] } };
  beforeEach(() => {
    nowMs = 0;
    calls = [];
  });
  const cached = (
    answer: () => AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>,
    metrics?: TokenCacheMetrics,
  ) =>
    cachedTokenAuthenticator(
      {
        authenticateToken: (token, options) => {
          calls.push([token, ...(options?.audiences ?? [])].join(' '));
          return answer();
        },
      },
      { successTTLMs: 10, clock, metrics },
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
  it('counts what it knew, what it asked, and who waits', async () => {
    const registry = new MetricRegistry();
    const told = (name: string): string[] =>
      registry.samples(`authentication_token_cache_${name}`).map(({ labels, value }) => `${labels['status']} ${value}`);
    let answer = (_user: AuthenticatedUser): void => undefined;
    const tokens = cached(() => new Promise((resolve) => (answer = resolve)), new TokenCacheMetrics(registry));
    const waiting = [tokens.authenticateToken('a'), tokens.authenticateToken('a')];
    expect(told('active_fetch_count')).to.deep.equal(['blocked 2', 'in_flight 1']);
    answer(alice);
    await Promise.all(waiting.map((each) => Promise.resolve(each)));
    await tokens.authenticateToken('a');
    expect(told('active_fetch_count')).to.deep.equal(['blocked 0', 'in_flight 0']);
    expect(told('request_total')).to.deep.equal(['hit 1', 'miss 2']);
    expect(told('fetch_total')).to.deep.equal(['ok 1']);
    const failing = cached(() => Promise.reject(new TypeError('bad')), new TokenCacheMetrics(registry));
    await Promise.resolve(failing.authenticateToken('b')).catch(() => undefined);
    expect(told('fetch_total')).to.deep.equal(['error 1']);
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
