import { expect } from 'chai';
import { enoughNodes } from './node-sampling.ts';

describe('how many nodes are looked at', () => {
  // kube-scheduler 1.36, numFeasibleNodesToFind.
  for (const [count, enough] of [
    [0, 0],
    [99, 99],
    [100, 100],
    [200, 100],
    [1_000, 420],
    [5_000, 500],
    [6_000, 300],
    [20_000, 1_000],
  ] as const)
    it(`of ${count}: ${enough}`, () => expect(enoughNodes(count)).to.equal(enough));
});
