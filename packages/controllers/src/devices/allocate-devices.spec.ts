import { expect } from 'chai';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import type { Device, DeviceClass, ResourceClaim, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import { allocateDevices, NodeAllocationError, type AllocationView } from './allocate-devices.ts';
import { DeviceSelectors, SelectorError } from './device-selectors.ts';

const node: Node = { metadata: { name: 'a', labels: { zone: 'x' } } };
const device = (name: string, more: Partial<Device> = {}): Device => ({ name, ...more });
const slice = (devices: Device[], more: object = {}): ResourceSlice => ({
  metadata: { name: 's' },
  spec: { driver: 'd.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'a', devices, ...more },
});
const claim = (...requests: object[]): ResourceClaim =>
  ({
    metadata: { name: 'c', namespace: 'n', uid: 'c' },
    spec: { devices: { requests: requests.map((each, i) => ({ name: `r${i}`, ...each })) } },
  }) as unknown as ResourceClaim;
const exactly = (more: object = {}): object => ({ exactly: { deviceClassName: 'any', ...more } });
const view = (slices: readonly ResourceSlice[], more: Partial<AllocationView> = {}): AllocationView => ({
  slices,
  classOf: (name) => ({ metadata: { name }, spec: {} }) as DeviceClass,
  taken: new Set(),
  shared: new Map(),
  newShareID: () => 'share',
  selectors: new DeviceSelectors(),
  ...more,
});
const given = (claims: readonly ResourceClaim[], from: AllocationView): readonly (readonly string[])[] | undefined =>
  allocateDevices(node, claims, from)?.map(({ devices }) => (devices?.results ?? []).map((each) => each.device));

describe('devices for claims', () => {
  it('are the first that do, each once, and not those of others', () => {
    const from = view([slice([device('1'), device('2'), device('3')])], { taken: new Set(['d.com/p/1']) });
    expect(given([claim(exactly()), claim(exactly())], from)).to.deep.equal([['2'], ['3']]);
    expect(given([claim(exactly({ count: 3 }))], from)).to.equal(undefined);
  });
  it('may be had by administrators, though others have them', () => {
    const from = view([slice([device('1')])], { taken: new Set(['d.com/p/1']) });
    expect(given([claim(exactly({ adminAccess: true }))], from)).to.deep.equal([['1']]);
  });
  it('are searched for until all requests are met', () => {
    const small = device('small', { attributes: { size: { int: 1 } } });
    const large = device('large', { attributes: { size: { int: 9 } } });
    const asksLarge = exactly({ selectors: [{ cel: { expression: 'device.attributes["d.com"].size > 5' } }] });
    const from = view([slice([large, small])]);
    expect(given([claim(exactly(), asksLarge)], from)).to.deep.equal([['small', 'large']]);
  });
  it('are alike, or all different, where constraints say so', () => {
    const of = (name: string, kind: string): Device => device(name, { attributes: { kind: { string: kind } } });
    const from = view([slice([of('1', 'x'), of('2', 'y'), of('3', 'x')])]);
    const two = claim(exactly({ count: 2 }));
    const constrained = (constraint: object): ResourceClaim =>
      ({ ...two, spec: { devices: { ...two.spec.devices, constraints: [constraint] } } }) as ResourceClaim;
    expect(given([constrained({ matchAttribute: 'd.com/kind' })], from)).to.deep.equal([['1', '3']]);
    expect(given([constrained({ distinctAttribute: 'd.com/kind' })], from)).to.deep.equal([['1', '2']]);
  });
  it('share what their pool has', () => {
    const consumesCounters = [{ counterSet: 'memory', counters: { bytes: { value: '6Gi' } } }];
    const counters = slice([], {
      nodeName: undefined,
      sharedCounters: [{ name: 'memory', counters: { bytes: { value: '10Gi' } } }],
      pool: { name: 'p', generation: 1, resourceSliceCount: 2 },
    });
    const devices = slice([device('1', { consumesCounters }), device('2', { consumesCounters })], {
      pool: { name: 'p', generation: 1, resourceSliceCount: 2 },
    });
    expect(given([claim(exactly())], view([counters, devices]))).to.deep.equal([['1']]);
    expect(given([claim(exactly({ count: 2 }))], view([counters, devices]))).to.equal(undefined);
  });
  it('are none of broken pools, of old generations, or of other nodes', () => {
    const twice = view([slice([device('1'), device('1')])]);
    expect(() => allocateDevices(node, [claim(exactly())], twice)).to.throw(
      NodeAllocationError,
      'invalid resource pools were encountered',
    );
    const pool = { name: 'p', generation: 2, resourceSliceCount: 1 };
    const from = view([slice([device('old')]), slice([device('new')], { pool })]);
    expect(given([claim(exactly())], from)).to.deep.equal([['new']]);
    expect(given([claim(exactly())], view([slice([device('1')], { nodeName: 'b' })]))).to.equal(undefined);
  });
  it('say where they can be used', () => {
    const term = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['x'] }] };
    const zoned = slice([device('1')], { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [term] } });
    expect(allocateDevices(node, [claim(exactly())], view([zoned]))?.[0]?.nodeSelector).to.deep.equal({
      nodeSelectorTerms: [term],
    });
    const everywhere = slice([device('1')], { nodeName: undefined, allNodes: true });
    expect(allocateDevices(node, [claim(exactly())], view([everywhere]))?.[0]).not.to.have.property('nodeSelector');
  });
  it('cannot be found by an expression that fails', () => {
    const wrong = claim(exactly({ selectors: [{ cel: { expression: 'device.attributes["d.com"].none == 1' } }] }));
    expect(() => allocateDevices(node, [wrong], view([slice([device('1')])]))).to.throw(
      SelectorError,
      'claim n/c: selector #0: CEL runtime error: no such key: none',
    );
  });
});
