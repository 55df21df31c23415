import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MACHINE_PREFIX, started, takeDown, takeDownLeftovers, writeRecord } from './machine-record.ts';

describe('the end of test machines', () => {
  const folder = (): string => mkdtempSync(join(tmpdir(), MACHINE_PREFIX));
  const sleeper = (): ReturnType<typeof spawn> => spawn('sleep', ['60'], { stdio: 'ignore' });
  const gone = { link: 'kcnode-none', cgroup: 'kubechain-node-none' };

  it('ends their first process and takes their folder away', async () => {
    const dir = folder();
    const child = sleeper();
    const ended = once(child, 'exit');
    writeRecord(dir, { ...gone, maker: started(process.pid), init: started(child.pid!) });
    await takeDown(dir);
    expect(await ended).to.deep.equal([null, 'SIGKILL']);
    expect(existsSync(dir)).to.equal(false);
  });

  it('spares a process that has the number of one before it', async () => {
    const dir = folder();
    const child = sleeper();
    try {
      writeRecord(dir, { ...gone, maker: started(process.pid), init: { pid: child.pid!, began: '1' } });
      await takeDown(dir);
      expect([child.exitCode, child.signalCode]).to.deep.equal([null, null]);
    } finally {
      child.kill();
    }
  });

  it('comes to those whose maker is gone, and to no others', async () => {
    const [kept, abandoned] = [folder(), folder()];
    const init = { pid: process.pid, began: '1' };
    writeRecord(kept, { ...gone, maker: started(process.pid), init });
    writeRecord(abandoned, { ...gone, maker: { pid: process.pid, began: '1' }, init });
    try {
      expect(await takeDownLeftovers('abandoned'))
        .to.include(abandoned)
        .and.not.to.include(kept);
      expect(readdirSync(kept)).to.deep.equal(['machine.json']);
    } finally {
      await takeDown(kept);
    }
  });
});
