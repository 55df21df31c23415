import { expect } from 'chai';
import { Quantity } from '@kubechain/apimachinery';
import type { Device, DeviceCapacity } from '@kubechain/apimachinery/types/resource/v1';
import { consumedOf, hasRoom } from './consumed-capacity.ts';

const device = (memory: DeviceCapacity): Device => ({ name: 'd', capacity: { memory } });
const takes = (memory: DeviceCapacity, asked?: string): string | undefined =>
  consumedOf(device(memory), asked === undefined ? undefined : { requests: { memory: asked } })
    ?.get('memory')
    ?.toString();

describe('what requests take of a device', () => {
  const range = {
    value: '10Gi',
    requestPolicy: { default: '1Gi', validRange: { min: '1Gi', max: '8Gi', step: '2Gi' } },
  };
  const values = { value: '10Gi', requestPolicy: { default: '1Gi', validValues: ['1Gi', '4Gi'] } };
  const rows: readonly (readonly [what: string, DeviceCapacity, string | undefined, string | undefined])[] = [
    ['all where nothing is said', { value: '10Gi' }, undefined, '10Gi'],
    ['what is asked for', { value: '10Gi' }, '3Gi', '3Gi'],
    ['the default', range, undefined, '1Gi'],
    ['the least that there is', range, '1Mi', '1Gi'],
    ['the next step', range, '2Gi', '3Gi'],
    ['nothing beyond the most', range, '9Gi', undefined],
    ['the next value', values, '2Gi', '4Gi'],
    ['nothing beyond the values', values, '5Gi', undefined],
  ];
  for (const [what, capacity, asked, expected] of rows)
    it(`is ${what}`, () => {
      expect(takes(capacity, asked)).to.equal(expected);
    });

  it('is nothing where the device has no such capacity', () => {
    expect(consumedOf(device({ value: '1' }), { requests: { other: '1' } })).to.equal(undefined);
  });

  it('has room besides what others have', () => {
    const of = (amount: string): ReadonlyMap<string, Quantity> => new Map([['memory', Quantity.parse(amount)]]);
    expect(hasRoom(device({ value: '10Gi' }), of('4Gi'), [of('6Gi')])).to.equal(true);
    expect(hasRoom(device({ value: '10Gi' }), of('4Gi'), [of('3Gi'), of('4Gi')])).to.equal(false);
  });
});
