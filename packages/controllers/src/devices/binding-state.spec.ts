import { expect } from 'chai';
import type { ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';
import { bindingStateOf, isBindingOverdue } from './binding-state.ts';

const device = { driver: 'd', pool: 'p', device: '1' };
const claim = (conditions: readonly object[] | undefined, result: object = {}): ResourceClaim =>
  ({
    metadata: { name: 'c' },
    spec: {},
    status: {
      allocation: {
        allocationTimestamp: '2026-01-01T00:00:00Z',
        devices: {
          results: [{ ...device, bindingConditions: ['ready'], bindingFailureConditions: ['broken'], ...result }],
        },
      },
      ...(conditions === undefined ? {} : { devices: [{ ...device, conditions }] }),
    },
  }) as unknown as ResourceClaim;
const condition = (type: string, status = 'True'): object => ({ type, status, reason: 'R', message: 'm' });

describe('devices that have to be made ready', () => {
  const rows: readonly (readonly [string, ResourceClaim, string])[] = [
    ['wait for their driver', claim(undefined), 'pending'],
    ['wait for all conditions', claim([condition('ready', 'False')]), 'pending'],
    ['are ready', claim([condition('ready')]), 'ready'],
    ['have failed', claim([condition('ready'), condition('broken')]), 'failed'],
    ['are ready where nothing is asked', claim(undefined, { bindingConditions: [] }), 'ready'],
  ];
  for (const [what, of, kind] of rows) it(what, () => expect(bindingStateOf(of).kind).to.equal(kind));

  it('have ten minutes', () => {
    const since = Date.parse('2026-01-01T00:00:00Z');
    expect(isBindingOverdue(claim(undefined), since + 600_000)).to.equal(false);
    expect(isBindingOverdue(claim(undefined), since + 600_001)).to.equal(true);
    expect(isBindingOverdue(claim(undefined, { bindingConditions: [] }), since + 600_001)).to.equal(false);
  });
});
