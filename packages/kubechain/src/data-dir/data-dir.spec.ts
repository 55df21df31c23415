import { expect } from 'chai';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateDataDir, openDataDir, socketAddress } from './data-dir.ts';

describe('data directory', () => {
  let parent: string;
  before(() => (parent = mkdtempSync(join(tmpdir(), 'kubechain-dir-'))));
  after(() => rmSync(parent, { recursive: true }));

  it('is made with what belongs to it', () => {
    const dir = openDataDir(join(parent, 'a/b'));
    expect(
      [dir.root, dir.pki, dir.run, dir.logs].map((path) => (statSync(path).mode & 0o777).toString(8)),
    ).to.deep.equal(['700', '700', '700', '700']);
    expect(socketAddress(dir, 'etcd')).to.equal(`unix:${parent}/a/b/run/etcd.sock`);
  });
  it('keeps sockets elsewhere when its path is too long for them', () => {
    const dir = openDataDir(join(parent, 'x'.repeat(90)));
    expect(dir.run.startsWith(join(tmpdir(), 'kubechain-'))).to.equal(true);
    expect(openDataDir(dir.root).run).to.equal(dir.run);
    rmSync(dir.run, { recursive: true });
  });
  it('keeps sockets in /tmp when the path of TMPDIR is too long as well', () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(parent, 't'.repeat(90));
    try {
      expect(locateDataDir(join(parent, 'x'.repeat(90))).run).to.match(/^\/tmp\/kubechain-[0-9a-f]{16}$/);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
  it('takes from others what an older version left open to them', () => {
    const dir = openDataDir(join(parent, 'older'));
    writeFileSync(dir.storeFile, '');
    writeFileSync(join(dir.logs, 'etcd.log'), '');
    for (const path of [dir.root, dir.logs]) chmodSync(path, 0o755);
    chmodSync(join(dir.logs, 'etcd.log'), 0o644);
    openDataDir(dir.root);
    expect(
      [dir.root, dir.logs, join(dir.logs, 'etcd.log')].map((path) => (statSync(path).mode & 0o777).toString(8)),
    ).to.deep.equal(['700', '700', '600']);
  });
  it('leaves a folder of the user as it is', () => {
    const theirs = join(parent, 'theirs');
    mkdirSync(theirs, { mode: 0o755 });
    openDataDir(theirs);
    expect((statSync(theirs).mode & 0o777).toString(8)).to.equal('755');
  });
  it('says why it cannot be used', () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => openDataDir(join(parent, 'file/inside'))).to.throw(
      /^--data-dir: cannot use '.*file\/inside': ENOTDIR/,
    );
  });
  it('refuses a socket folder that others may enter', () => {
    const dir = openDataDir(join(parent, 'open'));
    chmodSync(dir.run, 0o755);
    expect(() => openDataDir(dir.root)).to.throw(/must belong to this user and be open to nobody else \(mode 0700\)$/);
  });
  if (process.platform === 'linux') {
    it('gives up where there can be no directory', () =>
      expect(() => openDataDir('/proc/kubechain')).to.throw(/^--data-dir: cannot use '\/proc\/kubechain': ENOENT/));
  }
});
