import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { unlessUnderWay } from './unless-under-way.ts';

describe('unlessUnderWay', function () {
  this.timeout(60_000);
  let folder: string;
  let lockFile: string;
  let built: number;
  let other: ChildProcess | undefined;
  const build = async (): Promise<void> => {
    await Promise.resolve();
    built++;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-builder-'));
    lockFile = join(folder, 'bundle.building');
    built = 0;
  });
  afterEach(() => {
    other?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** Another process that builds for ever, once it has the lock. */
  const builder = async (): Promise<ChildProcess> => {
    const program = `
      import { unlessUnderWay } from ${JSON.stringify(join(import.meta.dirname, 'unless-under-way.ts'))};
      await unlessUnderWay(${JSON.stringify(lockFile)}, () => {
        console.log('builds');
        return new Promise((resolve) => setTimeout(resolve, 600_000));
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  };

  it('has one of several do the work, and the next one when that is over', async () => {
    const done = await Promise.all([1, 2, 3].map(() => unlessUnderWay(lockFile, build)));
    expect([done, built]).to.deep.equal([[true, false, false], 1]);
    expect(await unlessUnderWay(lockFile, build)).to.equal(true);
  });

  it('leaves the place to others when the work fails', async () => {
    const failure = await unlessUnderWay(lockFile, () => Promise.reject(new Error('no'))).catch(
      (error: Error) => error,
    );
    expect(failure).to.have.property('message', 'no');
    expect(await unlessUnderWay(lockFile, build)).to.equal(true);
  });

  it('leaves the work to another process, however long that takes, until it is killed', async () => {
    other = await builder();
    const before = Date.now() / 1_000 - 3_600;
    utimesSync(lockFile, before, before);
    expect(await unlessUnderWay(lockFile, build)).to.equal(false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    const done = await Promise.all([1, 2, 3].map(() => unlessUnderWay(lockFile, build)));
    expect([done, built]).to.deep.equal([[true, false, false], 1]);
  });

  it('tells where it cannot be written', async () => {
    const failure = await unlessUnderWay(join(folder, 'none', 'lock'), build).catch((error: Error) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(built).to.equal(0);
  });
});
