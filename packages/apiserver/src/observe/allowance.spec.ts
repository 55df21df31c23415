import { expect } from 'chai';
import { Allowance } from './allowance.ts';

describe('Allowance', () => {
  it('gives so many in each span, and keeps none for the next', () => {
    let nowMs = 0;
    const allowance = new Allowance(2, 100, () => nowMs);
    expect([allowance.take(), allowance.take(), allowance.take()]).to.deep.equal([true, true, false]);
    nowMs = 99;
    expect(allowance.take()).to.equal(false);
    nowMs = 350;
    expect([allowance.take(), allowance.take(), allowance.take()]).to.deep.equal([true, true, false]);
  });
});
