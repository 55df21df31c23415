import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { threadsOfProcess } from './process-threads.ts';

describe('threadsOfProcess', function () {
  this.timeout(60_000);

  (existsSync('/proc/self/schedstat') ? it : it.skip)('tells which threads have run, and which could', async () => {
    const own = threadsOfProcess(process.pid)?.get(String(process.pid));
    expect(own).to.include({ isRunnable: true });
    expect(own?.ranMs).to.be.greaterThan(50);
    const child = spawn(process.execPath, ['-e', 'process.title = "a) S b"; console.log(1); for (;;);']);
    try {
      await once(child.stdout, 'data');
      const isRunnable = (): boolean | undefined => threadsOfProcess(child.pid!)?.get(String(child.pid))?.isRunnable;
      expect(isRunnable()).to.equal(true);
      child.kill('SIGSTOP');
      while (isRunnable() === true) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(isRunnable()).to.equal(false);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    expect(threadsOfProcess(child.pid!)).to.equal(undefined);
  });
});
