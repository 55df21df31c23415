import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { whenAborted } from './when-aborted.ts';

describe('whenAborted', () => {
  it('waits until the signal aborts', async () => {
    const controller = new AbortController();
    let over = false;
    const waiting = whenAborted(controller.signal).then(() => (over = true));
    await setImmediate();
    expect(over).to.equal(false);
    controller.abort();
    await waiting;
    expect(over).to.equal(true);
  });

  it('does not wait for a signal that has aborted, and does not throw its reason', async () => {
    expect(await whenAborted(AbortSignal.abort(new Error('over')))).to.equal(undefined);
  });
});
