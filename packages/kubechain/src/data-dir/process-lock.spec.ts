import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDataDir, type DataDir } from './data-dir.ts';
import { lockProcess, type ProcessLock } from './process-lock.ts';

describe('the lock of a server in a data directory', function () {
  this.timeout(60_000);
  let parent: string;
  let dir: DataDir;
  let path: string;
  let held: ProcessLock[];

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'kubechain-lock-'));
    dir = openDataDir(join(parent, 'data'));
    path = join(dir.run, 'etcd.lock.sock');
    held = [];
  });
  afterEach(async () => {
    for (const lock of held) await lock.release();
    rmSync(parent, { recursive: true });
  });

  const take = async (): Promise<string> => {
    try {
      held.push(await lockProcess(dir, 'etcd'));
      return 'taken';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const refusal = (): string =>
    `--data-dir: etcd already runs on '${dir.root}' (pid ${process.pid}); kubechain down ends it`;

  it('is had by one, whom others are told of, and by the next one after that', async () => {
    expect(await take()).to.equal('taken');
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(await take()).to.equal(refusal());
    await held.pop()?.release();
    expect(existsSync(path)).to.equal(false);
    expect(await take()).to.equal('taken');
  });

  it('is had by one of several that start where one was killed', async () => {
    const killed = spawnSync(process.execPath, [
      '--eval',
      `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ]);
    expect(killed.signal).to.equal('SIGKILL');
    expect(existsSync(path)).to.equal(true);
    const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map(take));
    expect(outcomes.toSorted()).to.deep.equal([...Array<string>(5).fill(refusal()), 'taken']);
    for (const name of readdirSync(dir.run)) expect(statSync(join(dir.run, name)).mode & 0o077, name).to.equal(0);
  });
});
