import { expect } from 'chai';
import { untrustedIssuer, verifyToken, type TokenVerifierOptions } from './token-verifier.ts';

const nowMs = 1_700_000_000_000;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (claims: object, header: object = { alg: 'RS256', kid: 'k' }): string =>
  `${encode(header)}.${encode(claims)}.c2lnbmVk`;
const good = { iss: 'https://a', aud: 'x', exp: nowMs / 1000 + 1 };

describe('tokens of issuers', () => {
  const verify = (token: string, more: Partial<TokenVerifierOptions> = {}): Promise<unknown> =>
    verifyToken(token, {
      issuer: 'https://a',
      audiences: ['x'],
      algorithms: ['RS256'],
      clock: { now: () => nowMs },
      keys: { verify: (text) => Promise.resolve(Buffer.from(text.split('.')[1] ?? '', 'base64url')) },
      ...more,
    });
  const reasonOf = (token: string, more: Partial<TokenVerifierOptions> = {}): Promise<string> =>
    verify(token, more).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );

  it('are their claims', async () => {
    expect(await verify(tokenOf(good))).to.deep.equal(good);
    expect(await reasonOf(tokenOf({ ...good, nbf: nowMs / 1000 + 59 }))).to.equal('');
    expect(await reasonOf(tokenOf({ ...good, exp: String(good.exp) }))).to.equal('');
    expect(await reasonOf(tokenOf({ ...good, aud: ['y', 'x'] }))).to.equal('');
  });
  it('of Google may name it without a scheme', async () => {
    const issuer = 'https://accounts.google.com';
    expect(await reasonOf(tokenOf({ ...good, iss: 'accounts.google.com' }), { issuer })).to.equal('');
    expect(untrustedIssuer(tokenOf({ iss: 'accounts.google.com' }))).to.equal(issuer);
  });
  const refused: readonly [string, string, string][] = [
    [
      'of another algorithm',
      tokenOf(good, { alg: 'HS256' }),
      'oidc: id token signed with unsupported algorithm, expected ["RS256"] got "HS256"',
    ],
    [
      'of another issuer',
      tokenOf({ ...good, iss: 'https://b' }),
      'oidc: id token issued by a different provider, expected "https://a" got "https://b"',
    ],
    ['for others', tokenOf({ ...good, aud: ['y', 'z'] }), 'oidc: expected audience "x" got ["y" "z"]'],
    [
      'that have ended',
      tokenOf({ ...good, exp: nowMs / 1000 - 1 }),
      'oidc: token is expired (Token Expiry: 2023-11-14 22:13:19 +0000 UTC)',
    ],
    [
      'that never said when they end',
      tokenOf({ ...good, exp: undefined }),
      '(Token Expiry: 1970-01-01 00:00:00 +0000 UTC)',
    ],
    [
      'that have not begun',
      tokenOf({ ...good, nbf: nowMs / 1000 + 61 }),
      'oidc: current time 2023-11-14 22:13:20 +0000 UTC before the nbf (not before) time: ' +
        '2023-11-14 22:14:21 +0000 UTC',
    ],
    ['whose end is no time', tokenOf({ ...good, exp: {} }), 'oidc: failed to unmarshal claims: exp is no time'],
    [
      'whose claims are elsewhere, but nowhere',
      tokenOf({ ...good, _claim_names: { g: 's' } }),
      'oidc: source does not exist',
    ],
    ['without a header', 'a.b.c', 'oidc: malformed jwt'],
  ];
  for (const [title, token, reason] of refused)
    it(`are refused: ${title}`, async () => {
      expect(await reasonOf(token)).to.contain(reason);
    });
  it('are refused where no key fits', async () => {
    const keys = { verify: () => Promise.reject(new Error('no')) };
    expect(await reasonOf(tokenOf(good), { keys })).to.equal('failed to verify signature: no');
  });
  it('name an issuer only when they are tokens', () => {
    expect(['', 'a.b', 'a.b.c', '{"a":1}', tokenOf({ iss: 7 })].map(untrustedIssuer)).to.deep.equal(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(untrustedIssuer(tokenOf({}))).to.equal('');
  });
});
