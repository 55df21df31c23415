import { expect } from 'chai';
import { Allowance } from './allowance.ts';

describe('Allowance', () => {
  it('gives a burst, then so many a second, and never saves up more than a burst', () => {
    let nowMs = 0;
    const allowance = new Allowance({ burst: 3, perSecond: 10, now: () => nowMs });
    const taken = (): number => {
      let count = 0;
      while (allowance.take()) count++;
      return count;
    };
    expect(taken()).to.equal(3);
    nowMs = 99;
    expect(taken()).to.equal(0);
    nowMs = 200;
    expect(taken()).to.equal(2);
    nowMs = 60_000;
    expect(taken()).to.equal(3);
  });
});
