import { whenAborted } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { onceRead } from './once-read.ts';

describe('onceRead', () => {
  it('resolves when all is read, and not when the server is stopped before', async () => {
    const open = new AbortController();
    await onceRead(Promise.resolve(), open.signal);
    const stopped = new AbortController();
    let read = false;
    void onceRead(whenAborted(stopped.signal), stopped.signal).then(() => {
      read = true;
    });
    stopped.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(read).to.equal(false);
  });

  it('fails as reading does', async () => {
    const failure: unknown = await onceRead(Promise.reject(new Error('no')), new AbortController().signal).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(Error).with.property('message', 'no');
  });
});
