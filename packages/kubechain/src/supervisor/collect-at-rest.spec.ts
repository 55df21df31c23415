import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { expect } from 'chai';
import { collectAtRest, exposeGC } from './collect-at-rest.ts';

describe('collectAtRest', () => {
  it('collects all garbage of a process that does nothing', async function () {
    this.timeout(30_000);
    const collected = await new Promise<unknown>((resolve) => {
      // Its own timer does not keep a process alive.
      const alive = setInterval(() => undefined, 1_000);
      collectAtRest(((options: unknown) => {
        clearInterval(alive);
        resolve(options);
      }) as NonNullable<typeof globalThis.gc>);
    });
    expect(collected).to.deep.equal({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  });
});

describe('exposeGC', () => {
  it('gives what collects to a process that was started without, and to threads that begin later', async () => {
    const collect = exposeGC();
    let kept: WeakRef<object> | undefined = new WeakRef({ large: Array.from({ length: 1000 }) });
    await new Promise((resolve) => setImmediate(resolve));
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    expect(kept.deref()).to.equal(undefined);
    kept = undefined;
    const worker = new Worker("require('node:worker_threads').parentPort.postMessage(typeof gc)", { eval: true });
    expect(await once(worker, 'message')).to.deep.equal(['function']);
    await worker.terminate();
  });
});
