import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { unlessUnderWay } from './only-builder.ts';

describe('unlessUnderWay', () => {
  let folder: string;
  let lockFile: string;
  let built: number;
  const build = async (): Promise<void> => {
    await Promise.resolve();
    built++;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-builder-'));
    lockFile = join(folder, 'bundle.lock');
    built = 0;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('has one of several do the work, and the next one when that is over', async () => {
    const done = await Promise.all([1, 2, 3].map(() => unlessUnderWay(lockFile, build)));
    expect([done, built]).to.deep.equal([[true, false, false], 1]);
    expect(await unlessUnderWay(lockFile, build)).to.equal(true);
    expect(existsSync(lockFile)).to.equal(false);
  });

  it('leaves the place to others when the work fails', async () => {
    const failure = await unlessUnderWay(lockFile, () => Promise.reject(new Error('no'))).catch(
      (error: Error) => error,
    );
    expect(failure).to.have.property('message', 'no');
    expect(await unlessUnderWay(lockFile, build)).to.equal(true);
  });

  it('takes the place of a process that is gone, or that has had it for too long', async () => {
    writeFileSync(lockFile, '4194305');
    expect(await unlessUnderWay(lockFile, build)).to.equal(true);
    writeFileSync(lockFile, String(process.pid));
    const before = Date.now() / 1_000 - 601;
    utimesSync(lockFile, before, before);
    expect(await unlessUnderWay(lockFile, build)).to.equal(true);
    expect(built).to.equal(2);
  });

  it('waits for one that has begun and not said who it is', async () => {
    writeFileSync(lockFile, '');
    expect(await unlessUnderWay(lockFile, build)).to.equal(false);
  });
});
