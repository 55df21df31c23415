import { expect } from 'chai';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import type { Endpoint, EndpointPort, EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { portsKey } from './desired-endpoints.ts';
import { planSlices, sliceLabels, type SlicePlan } from './plan-slices.ts';

const manager = 'endpointslice-controller.k8s.io';
const service: Service = {
  metadata: { namespace: 'default', name: 'web', uid: 'service' },
  spec: { clusterIP: '10.0.0.1' },
};
const ports: EndpointPort[] = [{ name: 'http', port: 80, protocol: 'TCP' }];
const endpoint = (ip: string, ready = true): Endpoint => ({ addresses: [ip], conditions: { ready } });
const slice = (name: string, ...ips: string[]): EndpointSlice => ({
  metadata: {
    namespace: 'default',
    name,
    resourceVersion: '1',
    labels: sliceLabels(service, manager),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'service' }],
  },
  addressType: 'IPv4',
  ports,
  endpoints: ips.map((ip) => endpoint(ip)),
});
const plan = (existing: readonly EndpointSlice[], wanted: readonly Endpoint[] | undefined): SlicePlan =>
  planSlices({
    service,
    type: 'IPv4',
    existing,
    desired: new Map(wanted === undefined ? [] : [[portsKey(ports), { ports, endpoints: [...wanted] }]]),
    maxEndpoints: 3,
    manager,
  });
/** Names and addresses of what is written. */
const told = ({ create, update, remove }: SlicePlan) => ({
  create: create.map(({ endpoints }) => endpoints?.map(({ addresses }) => addresses[0])),
  update: update.map(({ metadata, endpoints }) => [
    metadata?.name,
    ...(endpoints ?? []).map(({ addresses }) => addresses[0]),
  ]),
  remove: remove.map(({ metadata }) => metadata?.name),
});

describe('planSlices', () => {
  const rows: readonly (readonly [
    string,
    readonly EndpointSlice[],
    readonly Endpoint[] | undefined,
    ReturnType<typeof told>,
  ])[] = [
    [
      'fills new slices up to the limit',
      [],
      ['1', '2', '3', '4'].map((ip) => endpoint(ip)),
      { create: [['1', '2', '3'], ['4']], update: [], remove: [] },
    ],
    [
      'keeps what is as it should be',
      [slice('a', '1', '2')],
      ['2', '1'].map((ip) => endpoint(ip)),
      { create: [], update: [], remove: [] },
    ],
    [
      'writes a condition that changed',
      [slice('a', '1', '2')],
      [endpoint('1'), endpoint('2', false)],
      { create: [], update: [['a', '1', '2']], remove: [] },
    ],
    [
      'fills slices that change anyway',
      [slice('a', '1', '2', '3'), slice('b', '4')],
      ['1', '2', '4', '5'].map((ip) => endpoint(ip)),
      { create: [], update: [['a', '1', '2', '5']], remove: [] },
    ],
    [
      'puts what is left where there is room',
      [slice('a', '1', '2', '3'), slice('b', '4')],
      ['1', '2', '3', '4', '5'].map((ip) => endpoint(ip)),
      { create: [], update: [['b', '4', '5']], remove: [] },
    ],
    [
      'removes slices that are empty',
      [slice('a', '1'), slice('b', '2')],
      [endpoint('1')],
      { create: [], update: [], remove: ['b'] },
    ],
    ['makes the last slice a placeholder', [slice('a', '1')], undefined, { create: [], update: [['a']], remove: [] }],
  ];
  for (const [what, existing, wanted, expected] of rows)
    it(what, () => {
      expect(told(plan(existing, wanted))).to.deep.equal(expected);
    });

  it('leaves a placeholder alone', () => {
    const placeholder = { ...slice('a'), ports: [] };
    expect(told(plan([placeholder], undefined))).to.deep.equal({ create: [], update: [], remove: [] });
  });

  it('does not take slices over from another service of the name', () => {
    const foreign = slice('old', '1');
    foreign.metadata = {
      ...foreign.metadata,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'other' }],
    };
    expect(told(plan([foreign], [endpoint('1')]))).to.deep.equal({ create: [['1']], update: [], remove: ['old'] });
  });

  it('takes as long as there are slices, however many somebody has made for a service', () => {
    const many = Array.from({ length: 30_000 }, (_, i) => slice(`s${i}`, '10.9.9.9'));
    const { user } = process.cpuUsage();
    expect(plan(many, [endpoint('10.0.0.1')]).remove.length).to.equal(29_999);
    // In proportion to their square they took 7,000 ms.
    expect((process.cpuUsage().user - user) / 1_000).to.be.lessThan(2_000);
  });
});
