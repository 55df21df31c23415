import { expect } from 'chai';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileChanges } from './file-changes.ts';

describe('FileChanges', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'file-changes-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  const next = (changes: FileChanges): Promise<void> =>
    new Promise((resolve) => {
      changes.watch(() => {
        changes.stop();
        resolve();
      }, 5);
    });

  it('tells of what changed before it was asked to look', async () => {
    const path = join(directory, 'a');
    writeFileSync(path, 'one');
    const changes = new FileChanges([path]);
    writeFileSync(path, 'three');
    await next(changes);
  });

  it('tells of a file that is replaced by another, and of one that comes', async () => {
    const path = join(directory, 'a');
    const changes = new FileChanges([path]);
    writeFileSync(path, 'one');
    await next(changes);
    writeFileSync(join(directory, 'b'), 'one');
    renameSync(join(directory, 'b'), path);
    await next(changes);
  });

  it('is silent while nothing changes', async () => {
    const path = join(directory, 'a');
    writeFileSync(path, 'one');
    const changes = new FileChanges([path]);
    let calls = 0;
    changes.watch(() => {
      calls++;
    }, 2);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    changes.stop();
    expect(calls).to.equal(0);
  });
});
