import { expect } from 'chai';
import { runInShares } from './schedule.ts';

describe('the schedule of the conformance suite', () => {
  it('runs what must be alone after everything else, one share at a time', async () => {
    const order: string[] = [];
    let running = 0;
    await runInShares(
      ['a', 'b [Serial]', 'c', 'd', 'e [Serial]'],
      async (share) => {
        running++;
        await Promise.resolve();
        order.push(`${share.join('+')} of ${running}`);
        running--;
      },
      { parallel: 2, share: 1, over: () => false },
    );
    expect(order).to.deep.equal(['a of 2', 'c of 1', 'd of 1', 'b [Serial] of 1', 'e [Serial] of 1']);
  });

  it('begins nothing when it is over', async () => {
    let shares = 0;
    await runInShares(
      ['a', 'b', 'c [Serial]'],
      () => {
        shares++;
        return Promise.resolve();
      },
      { parallel: 1, share: 1, over: () => shares > 0 },
    );
    expect(shares).to.equal(1);
  });
});
