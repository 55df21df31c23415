import { expect } from 'chai';
import { TimeBudget } from './time-budget.ts';

describe('TimeBudget', () => {
  it('earns 50 ms a second up to 100, is taken whole, and takes back what was not used', () => {
    let now = 0;
    const budget = new TimeBudget({ now: () => now });
    expect(budget.takeAvailable()).to.equal(0);
    now += 1000;
    expect(budget.takeAvailable()).to.equal(50);
    expect(budget.takeAvailable()).to.equal(0);
    now += 60_000;
    expect(budget.takeAvailable()).to.equal(100);
    budget.returnUnused(30);
    budget.returnUnused(-5);
    expect(budget.takeAvailable()).to.equal(30);
  });
});
