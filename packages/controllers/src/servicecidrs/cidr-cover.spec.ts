import { expect } from 'chai';
import type { IPAddress, ServiceCIDR } from '@kubechain/apimachinery/types/networking/v1';
import { containing, isDispensable, overlapping } from './cidr-cover.ts';

const cidr = (name: string, ...cidrs: string[]): ServiceCIDR => ({ metadata: { name }, spec: { cidrs } });
const address = (name: string, by = 'ipallocator.k8s.io'): IPAddress =>
  ({ metadata: { name, labels: { 'ipaddress.kubernetes.io/managed-by': by } } }) as unknown as IPAddress;
const names = (cidrs: readonly ServiceCIDR[]): readonly unknown[] => cidrs.map(({ metadata }) => metadata?.name);

const wide = cidr('wide', '10.96.0.0/12');
const narrow = cidr('narrow', '10.97.0.0/16');
const other = cidr('other', '192.168.0.0/24', 'fd00::/112');

describe('what ServiceCIDRs cover', () => {
  it('is found from either side', () => {
    expect(names(overlapping(narrow, [wide, other]))).to.deep.equal(['wide']);
    expect(names(overlapping(wide, [narrow, other]))).to.deep.equal(['narrow']);
  });
  it('is found by address, of Services alone', () => {
    expect(names(containing(address('10.97.0.1'), [wide, narrow, other]))).to.deep.equal(['wide', 'narrow']);
    expect(names(containing(address('fd00::1'), [wide, narrow, other]))).to.deep.equal(['other']);
    expect(containing(address('10.97.0.1', 'somebody'), [wide])).to.deep.equal([]);
  });
  it('may go when a wider one stays, or nobody has an address of it', () => {
    const all = [wide, narrow, other];
    const addresses = [address('10.97.0.1'), address('10.98.0.1')];
    expect(isDispensable(narrow, { all, addresses })).to.equal(true);
    expect(isDispensable(wide, { all, addresses })).to.equal(false);
    expect(isDispensable(wide, { all, addresses: [address('10.97.0.1')] })).to.equal(true);
    expect(isDispensable(other, { all, addresses })).to.equal(true);
    expect(isDispensable(other, { all, addresses: [address('fd00::1')] })).to.equal(false);
  });
});
