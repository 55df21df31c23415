import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { pidOf } from '../harness/process-of.ts';
import { idleCost, settle, type IdleCost } from './idle-cost.ts';

describe('controllers that have nothing to do', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain({ flags: ['--controllers=lifecycle'] });
  });
  after(() => chain?.stop());

  it('take less than 1 % of a core, and less than 60 MB', async function () {
    this.timeout(240_000);
    const pid = pidOf(chain.dataDir, 'controllers');
    await settle();
    // On a machine that was busy while they started, some of that is left for the first round.
    const rounds: IdleCost[] = [];
    for (let round = 0; round < 3; round++) {
      const cost = await idleCost(pid);
      rounds.push(cost);
      if (cost.percent < 1 && cost.memoryMB < 60) break;
    }
    const last = rounds.at(-1);
    const told = JSON.stringify(rounds);
    expect(last?.percent, told).to.be.greaterThan(0).and.lessThan(1);
    expect(last?.memoryMB, told).to.be.greaterThan(10).and.lessThan(60);
  });
});
