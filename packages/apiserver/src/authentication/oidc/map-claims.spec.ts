import { FieldPath } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { readIssuer, type WrittenIssuer } from './read-issuer.ts';
import { mapClaims } from './map-claims.ts';

const issuer = { url: 'https://a', audiences: ['x'] };
const mapped = (claims: Readonly<Record<string, unknown>>, written: Omit<WrittenIssuer, 'issuer'>): unknown => {
  const read = readIssuer({ issuer, ...written }, FieldPath.of('jwt'), []);
  expect(read.errors.map(String)).to.deep.equal([]);
  return mapClaims(claims, read.issuer);
};
const named = (expression: string): Omit<WrittenIssuer, 'issuer'> => ({ claimMappings: { username: { expression } } });
const bySub = { username: { claim: 'sub', prefix: 'p:' } };

describe('users of claims', () => {
  it('have what stands in claims, behind prefixes', () => {
    expect(
      mapped(
        { sub: 's', groups: ['a', 'b'], id: '7', jti: 'j' },
        { claimMappings: { ...bySub, groups: { claim: 'groups', prefix: 'g:' }, uid: { claim: 'id' } } },
      ),
    ).to.deep.equal({
      name: 'p:s',
      groups: ['g:a', 'g:b'],
      uid: '7',
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j'] },
    });
    expect(mapped({ sub: 's' }, { claimMappings: bySub })).to.deep.equal({ name: 'p:s', groups: [] });
  });
  const names: readonly [string, Readonly<Record<string, unknown>>, string][] = [
    ['claims.a.b[1]', { a: { b: ['x', 'y'] } }, 'y'],
    ['claims.a__dot__b', { 'a.b': 'dotted' }, 'dotted'],
    ['claims.a.b__slash__c', { a: { 'b/c': 'deep' } }, 'deep'],
    ["claims['a.b']", { 'a.b': 'as it is' }, 'as it is'],
    ['string(claims.n)', { n: 1 }, '1'],
    ["type(claims.n) == double ? 'double' : 'int'", { n: 1 }, 'double'],
    ["claims.?none.orValue('instead')", {}, 'instead'],
    ["has(claims.none) ? 'there' : 'away'", {}, 'away'],
  ];
  for (const [expression, claims, name] of names)
    it(`are named by ${expression}`, () => {
      expect(mapped(claims, named(expression))).to.deep.equal({ name, groups: [] });
    });
  const refused: readonly [string, Readonly<Record<string, unknown>>, Omit<WrittenIssuer, 'issuer'>, string][] = [
    ['an empty name', { sub: '' }, named('claims.sub'), 'oidc: empty username via CEL expression is not allowed'],
    [
      'a name that is no text',
      { sub: 1 },
      named('claims.sub'),
      'oidc: error evaluating username claim expression: username claim expression must return a string',
    ],
    [
      'a rule that is not met',
      { sub: 's' },
      { claimMappings: bySub, claimValidationRules: [{ expression: "claims.sub == 't'", message: 'm' }] },
      "oidc: error evaluating claim validation expression: validation expression 'claims.sub == 't'' failed: m",
    ],
    [
      'a user that may not be',
      { sub: 's' },
      { claimMappings: bySub, userValidationRules: [{ expression: "user.username == 's'" }] },
      "oidc: error evaluating user info validation rule: validation expression 'user.username == 's'' failed: ",
    ],
  ];
  for (const [title, claims, written, reason] of refused)
    it(`are refused: ${title}`, () => {
      expect(() => mapped(claims, written)).to.throw(reason);
    });
});
