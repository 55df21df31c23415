import { expect } from 'chai';
import { localAvailability, withAvailability } from './conditions.ts';

const before = {
  type: 'Available',
  status: 'False' as const,
  reason: 'ServiceNotFound',
  message: 'gone',
  lastTransitionTime: 'then',
};

describe('withAvailability', () => {
  it('adds the first condition', () => {
    expect(withAvailability([], localAvailability, 'now')).to.deep.equal([
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: 'now',
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ]);
  });
  it('writes nothing when nothing changed', () => {
    expect(withAvailability([before], { status: 'False', reason: 'ServiceNotFound', message: 'gone' }, 'now')).to.equal(
      undefined,
    );
  });
  it('keeps the time of the transition while the status stays, and other conditions', () => {
    const other = { type: 'Other', status: 'True' as const };
    expect(
      withAvailability([other, before], { status: 'False', reason: 'MissingEndpoints', message: 'none' }, 'now'),
    ).to.deep.equal([other, { ...before, reason: 'MissingEndpoints', message: 'none' }]);
    expect(withAvailability([before], localAvailability, 'now')?.[0]?.lastTransitionTime).to.equal('now');
  });
});
