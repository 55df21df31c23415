import { expect } from 'chai';
import { IPRange } from './ip-range.ts';

const range = (text: string): IPRange => {
  const parsed = IPRange.parse(text);
  if (parsed === undefined) throw new TypeError(text);
  return parsed;
};

describe('IPRange', () => {
  for (const { cidr, first, inside, outside } of [
    {
      cidr: '10.0.0.0/24',
      first: '10.0.0.1',
      inside: ['10.0.0.1', '10.0.0.254'],
      outside: ['10.0.0.0', '10.0.0.255', '10.0.1.1', 'fd00::1'],
    },
    {
      cidr: 'fd00::/112',
      first: 'fd00::1',
      inside: ['fd00::1', 'fd00::ffff'],
      outside: ['fd00::', 'fd00::1:0', '10.0.0.1'],
    },
    { cidr: '10.0.0.0/30', first: '10.0.0.1', inside: ['10.0.0.1', '10.0.0.2'], outside: ['10.0.0.3'] },
  ]) {
    it(`leaves the ends of ${cidr} out`, () => {
      expect(range(cidr).first).to.equal(first);
      for (const address of inside) expect(range(cidr).contains(address), address).to.equal(true);
      for (const address of outside) expect(range(cidr).contains(address), address).to.equal(false);
    });
  }

  it('offers the dynamic band first, from a random address on and around, and the static one last', () => {
    const offered = [...range('10.0.0.0/24').candidates(() => 0)];
    expect(offered[0]).to.equal('10.0.0.17');
    expect(offered.slice(-16)).to.deep.equal(Array.from({ length: 16 }, (_, i) => `10.0.0.${i + 1}`));
    expect(new Set(offered).size).to.equal(254);
    const later = [...range('10.0.0.0/24').candidates(() => 0.999_999)];
    expect(later[0]).not.to.equal(offered[0]);
    expect([...later].sort()).to.deep.equal([...offered].sort());
  });

  it('has no static band in a range of up to 16 addresses, and at most 256 in a large one', () => {
    expect([...range('10.0.0.0/28').candidates(() => 0)][0]).to.equal('10.0.0.1');
    expect(
      range('10.0.0.0/12')
        .candidates(() => 0)
        .next().value,
    ).to.equal('10.0.1.1');
    expect(
      range('fd00::/64')
        .candidates(() => 0)
        .next().value,
    ).to.equal('fd00::101');
  });
});
