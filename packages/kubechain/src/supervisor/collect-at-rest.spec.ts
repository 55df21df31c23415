import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { exposeGC } from './collect-at-rest.ts';

describe('collectAtRest', () => {
  it('collects all garbage of a process that does nothing', async () => {
    const url = new URL('collect-at-rest.ts', import.meta.url).href;
    // A process of its own: this one may have something to do. The machine may have, too.
    const program =
      `import { collectAtRest } from '${url}';` +
      'collectAtRest((options) => { console.log(JSON.stringify(options)); process.exit(0); }, ' +
      '() => ({ ranMs: 0, waitedMs: 0 }));' +
      'setInterval(() => undefined, 1_000);';
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(JSON.parse(stdout)).to.deep.equal({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }).timeout(60_000);
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
