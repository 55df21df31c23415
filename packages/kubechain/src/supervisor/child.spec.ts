import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from './child.ts';

describe('a child', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-child-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('serves on when nothing can be logged any more, as on a full disk', async () => {
    const main = join(folder, 'main.mjs');
    writeFileSync(
      main,
      `process.on('SIGTERM', () => process.exit(0));
      for (let i = 0; i < 3; i++) {
        console.error('not written');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      process.send({ kind: 'ready', name: 'one', url: 'https://127.0.0.1:1' });
      process.channel.ref();`,
    );
    const pidFile = join(folder, 'one.pid');
    const child = new Child({ name: 'one', main, args: [], logFile: '/dev/full', pidFile, readiness: 'ipc' });
    expect(await child.ready).to.equal('https://127.0.0.1:1');
    expect(await child.stop(10_000)).to.include({ code: 0, wasReady: true });
  });
});
