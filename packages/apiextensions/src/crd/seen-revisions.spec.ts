import { expect } from 'chai';
import { SeenRevisions } from './seen-revisions.ts';

describe('SeenRevisions', () => {
  const over = async (promise: Promise<void>): Promise<boolean> => {
    let done = false;
    void promise.then(() => {
      done = true;
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return done;
  };

  it('wait for a revision or a later one', async () => {
    const seen = new SeenRevisions();
    seen.see('a', 5);
    const [past, present, future] = [seen.wait('a', 4), seen.wait('a', 5), seen.wait('a', 6)];
    expect(await Promise.all([past, present, future, seen.wait('b', 1)].map(over))).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
    seen.see('a', 8);
    expect(await over(future)).to.equal(true);
  });
  it('wait for nothing that is gone, nor after the end', async () => {
    const seen = new SeenRevisions();
    const [gone, ended] = [seen.wait('a', 9), seen.wait('b', 9)];
    seen.forget('a');
    expect([await over(gone), await over(seen.wait('a', 9)), await over(ended)]).to.deep.equal([true, false, false]);
    seen.stop();
    expect([await over(ended), await over(seen.wait('c', 1))]).to.deep.equal([true, true]);
  });
});
