import { expect } from 'chai';
import { SizeSteps } from './size-steps.ts';

function resize(steps: SizeSteps, by: 1 | -1, times: number): number {
  for (let i = 0; i < times; i++) steps.resize(by);
  return steps.seconds;
}

describe('SizeSteps', () => {
  it('goes on with more nodes, and back only some way below', () => {
    const steps = new SizeSteps();
    expect(resize(steps, 1, 100)).to.equal(0);
    expect(resize(steps, 1, 1)).to.equal(15);
    expect(resize(steps, -1, 11)).to.equal(15);
    expect(resize(steps, -1, 1)).to.equal(0);
  });
  it('ends at five minutes', () => {
    expect(resize(new SizeSteps(), 1, 2_001)).to.equal(300);
  });
});
