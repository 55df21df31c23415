import { expect } from 'chai';
import fc from 'fast-check';
import { validateConditions } from './conditions.ts';
import {
  validateDomainPrefixedKey,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from './domain-names.ts';
import { FieldPath } from '../errors/field-path.ts';
import { cidrWarnings, ipWarnings, validateCIDR, validateIP, validateLegacyCIDR, validateLegacyIP } from './ip.ts';
import { formatIPAddress, parseCIDR, parseIPAddress } from './ip-address.ts';
import { validateLabelSelector } from '../selectors/validate-label-selector.ts';

const path = FieldPath.of('ip');

describe('IP addresses', () => {
  const canonical: [input: string, output: string | undefined][] = [
    ['1.2.3.4', '1.2.3.4'],
    ['010.002.0.1', '10.2.0.1'],
    ['1.2.3', undefined],
    ['1.2.3.256', undefined],
    ['1.2.3.x', undefined],
    ['', undefined],
    ['::', '::'],
    ['::1', '::1'],
    ['FE80:0:0:0:0:0:0:0abc', 'fe80::abc'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:0:3:0:4:0', '1:0:2:0:3:0:4:0'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7', undefined],
    ['1:2:3:4:5:6:7:8:9', undefined],
    ['fe80::1%eth0', undefined],
    [':1', undefined],
  ];
  for (const [input, output] of canonical)
    it(`reads ${JSON.stringify(input)}`, () => expect(parseIPAddress(input)?.text).to.equal(output));

  it('keeps an address through its text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
        const address = parseIPAddress(formatIPAddress(6, value));
        if (value >> 32n !== 0xffffn) expect(address).to.deep.include({ family: 6, value });
      }),
    );
  });

  it('says what is wrong, in fields of either age', () => {
    expect(validateIP(path, 'x').map(String)).to.deep.equal([
      'ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    expect(validateIP(path, 'FE80::1').map(String)).to.deep.equal([
      'ip: Invalid value: "FE80::1": must be in canonical form ("fe80::1")',
    ]);
    expect(validateLegacyIP(path, 'FE80::1')).to.deep.equal([]);
    expect(validateLegacyIP(path, '01.2.3.4').map(String)).to.deep.equal([
      'ip: Invalid value: "01.2.3.4": must not have leading 0s',
    ]);
    expect(validateLegacyIP(path, '01.2.3.4', { strict: false })).to.deep.equal([]);
    expect(validateLegacyIP(path, '01.2.3.4', { old: new Set(['01.2.3.4']) })).to.deep.equal([]);
    expect(validateLegacyIP(path, '::ffff:1.2.3.4').map(String)).to.deep.equal([
      'ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ]);
    expect(ipWarnings(path, '01.2.3.4')).to.deep.equal([
      'ip: non-standard IP address "01.2.3.4" is invalid: use "1.2.3.4"',
    ]);
  });

  it('checks ranges', () => {
    expect(parseCIDR('10.1.2.3/8')?.text).to.equal('10.0.0.0/8');
    expect(parseCIDR('10.1.2.3/33')).to.equal(undefined);
    expect(validateCIDR(path, '10.0.0.0/8')).to.deep.equal([]);
    expect(validateCIDR(path, '10.0.0.1/8').map(String)).to.deep.equal([
      'ip: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ]);
    expect(validateLegacyCIDR(path, '10.0.0.0/08').map(String)).to.deep.equal([
      'ip: Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length',
    ]);
    expect(validateLegacyCIDR(path, 'x').map(String)).to.deep.equal([
      'ip: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ]);
    expect(cidrWarnings(path, '10.0.0.1/8')).to.deep.equal([
      'ip: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    ]);
  });
});

describe('validation of common fields', () => {
  it('checks selectors in objects', () => {
    expect(
      validateLabelSelector({ matchExpressions: [{} as { key: string; operator: string }] }, FieldPath.of('s')).map(
        String,
      )[0],
    ).to.equal('s.matchExpressions[0].operator: Invalid value: "": not a valid selector operator');
    expect(
      validateLabelSelector(
        {
          matchExpressions: [
            { key: 'a', operator: 'In' },
            { key: 'a', operator: 'Exists', values: ['x'] },
            { key: 'a', operator: 'Is\u0000' },
          ],
        },
        FieldPath.of('s'),
      ).map(String),
    ).to.deep.equal([
      "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "s.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      's.matchExpressions[2].operator: Invalid value: "Is\\u0000": not a valid selector operator',
    ]);
  });

  it('checks conditions', () => {
    const good = { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' };
    expect(validateConditions([good], FieldPath.of('c'))).to.deep.equal([]);
    expect(validateConditions([good, good], FieldPath.of('c')).map(String)).to.deep.equal([
      'c[1].type: Duplicate value: "A"',
    ]);
    expect(validateConditions([{ type: 'A', status: 'Yes' }], FieldPath.of('c')).map(String)).to.deep.equal([
      'c[0].status: Unsupported value: "Yes": supported values: "False", "True", "Unknown"',
      'c[0].lastTransitionTime: Required value',
      'c[0].reason: Required value',
    ]);
  });

  it('checks domains', () => {
    expect(validateFullyQualifiedName(path, 'a.b').map(String)).to.deep.equal([
      'ip: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    ]);
    expect(validateFullyQualifiedDomainName(path, 'a.b.')).to.deep.equal([]);
    expect(validateDomainPrefixedPath(path, 'a.io').map(String)).to.deep.equal([
      'ip: Invalid value: "a.io": must be a domain-prefixed path (such as "acme.io/foo")',
    ]);
    expect(validateDomainPrefixedPath(path, 'a.io/b/c')).to.deep.equal([]);
    expect(validateDomainPrefixedKey(path, 'foo').map(String)).to.deep.equal([
      'ip: Invalid value: "foo": must be a domain-prefixed key (such as "acme.io/foo")',
    ]);
  });
});
