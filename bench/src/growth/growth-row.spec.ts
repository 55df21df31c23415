import { expect } from 'chai';
import { missedBounds } from './growth-row.ts';

describe('bounds of what grows', () => {
  const points = [
    { size: 1, figures: { KB: 10, µs: 5 } },
    { size: 100, figures: { KB: 20, µs: 20 } },
  ];
  const missed = (...bounds: Parameters<typeof missedBounds>[0]['bounds']): string[] =>
    missedBounds({ name: 'row', bounds }, points);

  it('hold at the largest size', () => {
    expect(missed({ figure: 'KB', most: 20 }, { figure: 'µs', mostGrowth: 4 })).to.deep.equal([]);
  });

  it('are told when they do not', () => {
    expect(missed({ figure: 'KB', most: 19 }, { figure: 'µs', mostGrowth: 3 })).to.deep.equal([
      'row: KB is 20, at most 19',
      'row: µs has grown 4 times, at most 3',
    ]);
  });

  it('are missed by what was not measured', () => {
    expect(missed({ figure: 'none', most: 1 })).to.have.length(1);
  });
});
