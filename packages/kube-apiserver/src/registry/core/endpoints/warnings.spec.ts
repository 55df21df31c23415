import { expect } from 'chai';
import { endpointsWarnings } from './warnings.ts';

describe('warnings of endpoints', () => {
  const subsets = [
    { addresses: [{ ip: '10.0.0.1' }, { ip: '2001:DB8::1' }], notReadyAddresses: [{ ip: '010.0.0.1' }] },
  ];
  const told = [
    'subsets[0].addresses[1].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    'subsets[0].notReadyAddresses[0].ip: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
  ];

  it('are of addresses in another form, but for those of the controller', () => {
    expect(endpointsWarnings({ subsets })).to.deep.equal(told);
    const labels = { 'endpoints.kubernetes.io/managed-by': 'somebody' };
    expect(endpointsWarnings({ subsets, metadata: { labels } })).to.deep.equal(told);
    labels['endpoints.kubernetes.io/managed-by'] = 'endpoint-controller';
    expect(endpointsWarnings({ subsets, metadata: { labels } })).to.deep.equal([]);
  });
});
