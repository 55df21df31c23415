import { expect } from 'chai';
import { servingNames } from './serving-names.ts';

describe('names of the serving certificate', () => {
  const flag = (name: string, ...args: readonly string[]): { name: string; arguments: readonly string[] } => ({
    name,
    arguments: args,
  });

  it('are the addresses that flags give', () => {
    expect(
      servingNames([
        flag('bind-address', '--bind-address=0.0.0.0'),
        flag('advertise-address', '--advertise-address', '198.51.100.1'),
        flag('external-hostname', '--external-hostname=api.example.org'),
      ]),
    ).to.deep.equal(['198.51.100.1', 'api.example.org']);
    expect(servingNames([flag('bind-address', '--bind-address=fd00::1')])).to.deep.equal(['fd00::1']);
  });

  it("are the Service's own addresses", () => {
    expect(
      servingNames([flag('service-cluster-ip-range', '--service-cluster-ip-range=10.96.0.0/16,fd00:1::/112')]),
    ).to.deep.equal(['10.96.0.1', 'fd00:1::1']);
    expect(servingNames([flag('service-cluster-ip-range', '--service-cluster-ip-range=')])).to.deep.equal([]);
  });

  it('are none where all interfaces are bound, or a flag has no name', () => {
    expect(
      servingNames([flag('bind-address', '--bind-address=::'), flag('external-hostname', '--external-hostname=')]),
    ).to.deep.equal([]);
  });
});
