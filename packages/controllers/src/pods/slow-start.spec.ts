import { expect } from 'chai';
import { slowStart } from './slow-start.ts';

describe('slowStart', () => {
  it('doubles what it does at a time, up to 32', async () => {
    let running = 0;
    const most: number[] = [];
    const { error, successes } = await slowStart(100, async () => {
      running++;
      await new Promise((resolve) => setImmediate(resolve));
      most.push(running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    expect([error, successes]).to.deep.equal([undefined, 100]);
    const batches = most.filter((size, i) => i === 0 || size !== most[i - 1]);
    expect(batches).to.deep.equal([1, 2, 4, 8, 16, 32, 5]);
  });

  it('does no more after a batch with a failure', async () => {
    const asked: number[] = [];
    const { error, successes } = await slowStart(100, (index) => {
      asked.push(index);
      return index === 1 ? Promise.reject(new Error('no')) : Promise.resolve();
    });
    expect([successes, String(error), asked]).to.deep.equal([2, 'Error: no', [0, 1, 2]]);
  });

  // A parallel stateful set looks at all of its pods in this way, of which most need nothing.
  it('lets others have the thread where there is nothing to wait for', async () => {
    let turns = 0;
    let done = false;
    void slowStart(200_000, () => Promise.resolve()).then(() => (done = true));
    for (; !done; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).to.be.above(3);
  });
});
