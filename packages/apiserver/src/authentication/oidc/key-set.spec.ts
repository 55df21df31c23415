import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import type { IssuerAnswer, IssuerClient } from './issuer-client.ts';
import { JWTMetrics } from './jwt-metrics.ts';
import { KeySet } from './key-set.ts';

interface Pair {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

describe('keys of issuers', () => {
  let nowMs: number;
  let asked: number;
  let shown: readonly object[];
  let headers: IssuerAnswer['headers'];
  let keys: KeySet;
  let one: Pair;
  let two: Pair;
  const pair = async (kid: string, alg: string): Promise<Pair> => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
  };
  const sign = ({ jwk, privateKey }: Pair, alg: string): Promise<string> =>
    new SignJWT({ sub: 's' }).setProtectedHeader({ alg, kid: jwk.kid ?? '' }).sign(privateKey);
  const verify = async (token: string, header: { readonly alg: string; readonly kid: string }): Promise<string> =>
    keys.verify(token, header).then(
      (payload) => Buffer.from(payload).toString(),
      (error: unknown) => (error as Error).message,
    );

  before(async () => {
    one = await pair('one', 'RS256');
    two = await pair('two', 'ES256');
  });
  beforeEach(() => {
    nowMs = 0;
    asked = 0;
    headers = {};
    shown = [one.jwk];
    keys = new KeySet({
      client: {
        get: () => {
          asked++;
          return Promise.resolve({ status: 200, statusText: '200 OK', headers, body: JSON.stringify({ keys: shown }) });
        },
      } as unknown as IssuerClient,
      clock: { now: () => nowMs },
      url: 'https://a/keys',
      issuer: 'https://a',
      metrics: new JWTMetrics(new MetricRegistry(), () => nowMs),
    });
  });

  it('are asked for once, and again for a token of another', async () => {
    const token = await sign(one, 'RS256');
    for (let i = 0; i < 3; i++) expect(await verify(token, { alg: 'RS256', kid: 'one' })).to.equal('{"sub":"s"}');
    expect(asked).to.equal(1);
    shown = [one.jwk, two.jwk];
    expect(await verify(await sign(two, 'ES256'), { alg: 'ES256', kid: 'two' })).to.equal('{"sub":"s"}');
    expect(asked).to.equal(2);
  });
  it('are not asked for again before they have said that they end', async () => {
    headers = { 'cache-control': 'public, max-age=60' };
    await verify(await sign(one, 'RS256'), { alg: 'RS256', kid: 'one' });
    shown = [two.jwk];
    const token = await sign(two, 'ES256');
    expect(await verify(token, { alg: 'ES256', kid: 'two' })).to.equal('failed to verify id token signature');
    nowMs = 30_001;
    expect(await verify(token, { alg: 'ES256', kid: 'two' })).to.equal('{"sub":"s"}');
    expect(asked).to.equal(2);
  });
  it('are asked for once by all who wait', async () => {
    const token = await sign(one, 'RS256');
    await Promise.all(Array.from({ length: 5 }, () => verify(token, { alg: 'RS256', kid: 'one' })));
    expect(asked).to.equal(1);
  });
  it('are all tried for a token that names none', async () => {
    shown = [two.jwk, one.jwk];
    expect(await verify(await sign(one, 'RS256'), { alg: 'RS256', kid: '' })).to.equal('{"sub":"s"}');
  });
  it('are no secrets, and fit their algorithms alone', async () => {
    shown = [
      { kty: 'oct', k: 'c2VjcmV0', kid: 'one' },
      { ...two.jwk, kid: 'one' },
    ];
    const token = await sign(one, 'RS256');
    for (const alg of ['RS256', 'HS256', 'none'])
      expect(await verify(token, { alg, kid: 'one' })).to.equal('failed to verify id token signature');
  });
});
