import { FieldPath, invalidValue, required } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { lenientOfAddresses } from './lenient-addresses.ts';

describe('lenientOfAddresses', () => {
  const path = FieldPath.of('spec');
  const lenient = [
    invalidValue(path, '::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'),
    invalidValue(path, '::ffff:1.2.3.0/120', 'must not have an IPv4-mapped IPv6 address'),
    invalidValue(path, '010.0.0.1', 'must not have leading 0s'),
    invalidValue(path, '010.0.0.0/8', 'must not have leading 0s in IP or prefix length'),
    invalidValue(path, '10.0.0.1/8', 'must not have bits set beyond the prefix length'),
  ];
  const other = required(path);

  it('takes addresses in any form', () => {
    expect(lenientOfAddresses([...lenient, other], { kind: 'Service' })).to.deep.equal([other]);
    const slice = { kind: 'EndpointSlice', addressType: 'IPv4' };
    expect(lenientOfAddresses(lenient, slice)).to.deep.equal([]);
  });

  it('but where the canonical form was always asked for', () => {
    expect(lenientOfAddresses(lenient, { kind: 'IPAddress' })).to.deep.equal(lenient);
    expect(lenientOfAddresses(lenient, { kind: 'EndpointSlice', addressType: 'IPv6' })).to.deep.equal(lenient);
  });
});
