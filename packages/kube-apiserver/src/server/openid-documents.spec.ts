import { expect } from 'chai';
import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { verificationKey } from '@kubechain/apiserver/tokens';
import { openIDDocuments, type OpenIDOptions } from './openid-documents.ts';

const rsa = verificationKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
const p384 = verificationKey(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey);
const base: OpenIDOptions = {
  issuer: 'https://kubernetes.default.svc',
  keySetURI: '',
  externalAddress: '10.1.2.3:6443',
  keys: [rsa],
};

describe('openIDDocuments', () => {
  it('describes the issuer, with the algorithms of all keys', () => {
    const result = openIDDocuments({ ...base, keys: [rsa, p384, rsa] });
    if (result.kind !== 'documents') throw new TypeError(result.issue);
    expect(result.documents.configuration).to.equal(
      '{"issuer":"https://kubernetes.default.svc","jwks_uri":"https://10.1.2.3:6443/openid/v1/jwks",' +
        '"response_types_supported":["id_token"],"subject_types_supported":["public"],' +
        '"id_token_signing_alg_values_supported":["ES384","RS256"]}',
    );
  });

  it('gives keys that verify, and no private parts', () => {
    const result = openIDDocuments({ ...base, keys: [rsa, p384] });
    if (result.kind !== 'documents') throw new TypeError(result.issue);
    const { keys } = JSON.parse(result.documents.keySet) as { keys: (JsonWebKey & { readonly kid: string })[] };
    expect(keys.map((key) => Object.keys(key))).to.deep.equal([
      ['use', 'kty', 'kid', 'alg', 'n', 'e'],
      ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y'],
    ]);
    expect(keys.map(({ kid }) => kid)).to.deep.equal([rsa.id, p384.id]);
    for (const [i, key] of keys.entries())
      expect(createPublicKey({ key, format: 'jwk' }).equals([rsa, p384][i]!.key)).to.equal(true);
  });

  it('names another place of the keys', () => {
    const result = openIDDocuments({ ...base, keySetURI: 'https://keys.example.com/set' });
    expect(result.kind === 'documents' && result.documents.configuration).to.contain(
      '"jwks_uri":"https://keys.example.com/set"',
    );
  });

  const refused: readonly (readonly [options: Partial<OpenIDOptions>, issue: string])[] = [
    [{ issuer: '' }, 'empty issuer URL'],
    [{ issuer: 'kubernetes/serviceaccount' }, 'issuer URL must use https scheme, got: kubernetes/serviceaccount'],
    [{ issuer: 'http://x' }, 'issuer URL must use https scheme, got: http://x'],
    [{ issuer: 'https://x?a=b' }, 'issuer URL may not include a query, got: https://x?a=b'],
    [{ issuer: 'https://x#a' }, 'issuer URL may not include a fragment, got: https://x#a'],
    [{ keySetURI: 'http://x' }, 'jwksURI requires https scheme, parsed as: http://x'],
    [{ keys: [] }, 'no keys provided for validating keyset'],
  ];
  for (const [options, issue] of refused)
    it(`none: ${issue}`, () => {
      expect(openIDDocuments({ ...base, ...options })).to.deep.equal({ kind: 'none', issue });
    });
});
