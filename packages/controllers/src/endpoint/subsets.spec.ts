import { expect } from 'chai';
import { packSubsets, truncateSubsets, type AddressPorts } from './subsets.ts';

const single = (ip: string, port: number, ready = true): AddressPorts => ({
  address: { ip },
  ports: [{ port, protocol: 'TCP' }],
  ready,
});

describe('subsets of Endpoints', () => {
  it('are one for the ports that have the same addresses', () => {
    const packed = packSubsets([
      single('2', 80),
      single('1', 80),
      single('1', 443),
      single('2', 443),
      single('1', 9000),
    ]);
    expect(packed).to.deep.equal([
      {
        addresses: [{ ip: '1' }, { ip: '2' }],
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 443, protocol: 'TCP' },
        ],
      },
      { addresses: [{ ip: '1' }], ports: [{ port: 9000, protocol: 'TCP' }] },
    ]);
  });

  it('are in the order of their hashes, and so are their ports', () => {
    const on = (name: string, port: number, protocol: 'TCP' | 'UDP'): AddressPorts => ({
      address: { ip: '1' },
      ports: [{ ...(name === '' ? {} : { name }), port, protocol }],
      ready: true,
    });
    const ports = [
      on('dns', 53, 'UDP'),
      on('', 9000, 'TCP'),
      on('http', 8080, 'TCP'),
      on('', 443, 'TCP'),
      on('', 80, 'TCP'),
    ];
    // As portsByHash and subsetsByHash of 1.36.2 have them.
    expect(packSubsets(ports)[0]?.ports?.map(({ port }) => port)).to.deep.equal([80, 443, 8080, 9000, 53]);
    const pod = { ip: '3', nodeName: 'node', targetRef: { kind: 'Pod', uid: 'u' } };
    const packed = packSubsets([
      single('1', 80),
      single('2', 80),
      single('1', 443),
      single('2', 443),
      single('1', 9000),
      { address: pod, ports: [{ port: 7, protocol: 'TCP' }], ready: true },
    ]);
    expect(packed.map(({ ports: of }) => of?.[0]?.port)).to.deep.equal([7, 80, 9000]);
  });

  it('of ports and addresses in thousands take no longer than either', () => {
    const ports = Array.from({ length: 20_000 }, (_, i) => ({ port: i + 1, protocol: 'TCP' as const }));
    const endpoints = Array.from({ length: 10_000 }, (_, i) => ({ address: { ip: String(i) }, ports, ready: true }));
    const [subset, ...others] = packSubsets(endpoints);
    expect([subset?.addresses?.length, subset?.ports?.length, others.length]).to.deep.equal([10_000, 20_000, 0]);
    // Each address has thousands of its own.
    const own = endpoints.slice(0, 1_000).map(({ address }, i) => ({
      address,
      ports: ports.slice(0, 2_000).map(({ port }) => ({ name: String(i), port, protocol: 'TCP' as const })),
      ready: true,
    }));
    expect(packSubsets(own)).to.have.length(25);
  });

  it('tell ready from not ready; not ready wins', () => {
    expect(packSubsets([single('1', 80), single('1', 80, false), single('2', 80)])).to.deep.equal([
      { addresses: [{ ip: '2' }], notReadyAddresses: [{ ip: '1' }], ports: [{ port: 80, protocol: 'TCP' }] },
    ]);
  });

  it('are cut to a thousand addresses, ready ones first', () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, index) => ({ ip: String(index) }));
    const [cut] = truncateSubsets([{ addresses: addresses(900), notReadyAddresses: addresses(300) }]);
    expect([cut?.addresses?.length, cut?.notReadyAddresses?.length]).to.deep.equal([900, 100]);
    const [full] = truncateSubsets([{ addresses: addresses(1200), notReadyAddresses: addresses(5) }]);
    expect([full?.addresses?.length, full?.notReadyAddresses]).to.deep.equal([1000, undefined]);
    const small = [{ addresses: addresses(3) }];
    expect(truncateSubsets(small)).to.equal(small);
  });
});
