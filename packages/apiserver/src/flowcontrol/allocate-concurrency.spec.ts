import { expect } from 'chai';
import fc from 'fast-check';
import { allocateConcurrency, type AllocationClaim } from './allocate-concurrency.ts';

const claim = (lower: number, target: number, upper: number): AllocationClaim => ({ lower, target, upper });

const rows: readonly (readonly [
  name: string,
  sum: number,
  claims: readonly AllocationClaim[],
  shares: readonly number[],
  fraction: number,
])[] = [
  ['nothing among some', 0, [claim(0, 1, 5)], [0], 0],
  ['by targets where no bound matters', 30, [claim(0, 1, 100), claim(0, 2, 100)], [10, 20], 10],
  ['what an upper bound leaves goes to the others', 30, [claim(0, 10, 5), claim(0, 10, 100)], [5, 25], 2.5],
  ['what a lower bound takes is missing to the others', 30, [claim(20, 20, 100), claim(0, 20, 100)], [20, 10], 0.5],
  ['no more than all lower bounds', 15, [claim(5, 10, 100), claim(10, 10, 100)], [5, 10], 0.5],
  ['no less than all upper bounds', 15, [claim(0, 1, 5), claim(0, 1, 10)], [5, 10], 10],
];

describe('allocateConcurrency', () => {
  for (const [name, sum, claims, shares, fraction] of rows) {
    it(`divides ${name}`, () => {
      const allocation = allocateConcurrency(sum, claims);
      for (const [i, share] of shares.entries()) expect(allocation?.shares[i]).to.be.closeTo(share, 1e-6);
      expect(allocation?.fairFraction).to.be.closeTo(fraction, 1e-6);
    });
  }

  const impossible: readonly (readonly [string, number, readonly AllocationClaim[]])[] = [
    ['less than nothing', -1, []],
    ['less than the lower bounds', 3, [claim(4, 4, 5)]],
    ['more than the upper bounds', 6, [claim(4, 4, 5)]],
    ['a target below its bound', 5, [claim(4, 3, 9)]],
    ['an upper bound below the lower', 5, [claim(4, 4, 3)]],
  ];
  for (const [name, sum, claims] of impossible)
    it(`has no answer for ${name}`, () => {
      expect(allocateConcurrency(sum, claims)).to.equal(undefined);
    });

  it('gives all away, within bounds, by one fraction', () => {
    const claims = fc.array(
      fc
        .tuple(fc.nat(20), fc.nat(40), fc.nat(60))
        .map(([lower, more, most]) => claim(lower, lower + more, lower + most)),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(claims, fc.double({ min: 0, max: 1, noNaN: true }), (list, place) => {
        const lowest = list.reduce((sum, { lower }) => sum + lower, 0);
        const highest = list.reduce((sum, { upper }) => sum + upper, 0);
        const sum = Math.round(lowest + (highest - lowest) * place);
        const allocation = allocateConcurrency(sum, list);
        if (sum === 0) return;
        expect(allocation?.shares.reduce((total, share) => total + share, 0)).to.be.closeTo(sum, 1e-4);
        for (const [i, { lower, target, upper }] of list.entries()) {
          const expected = Math.max(lower, Math.min(upper, (allocation?.fairFraction ?? 0) * Math.max(target, 0.001)));
          expect(allocation?.shares[i]).to.be.closeTo(expected, 1e-6);
        }
      }),
    );
  });
});
