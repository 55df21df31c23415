import { expect } from 'chai';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir, socketAddress } from './data-dir.ts';

describe('data directory', () => {
  let parent: string;
  before(() => (parent = mkdtempSync(join(tmpdir(), 'kubechain-dir-'))));
  after(() => rmSync(parent, { recursive: true }));

  it('is made with what belongs to it', () => {
    const dir = openDataDir(join(parent, 'a/b'));
    expect([dir.pki, dir.run, dir.logs].map((path) => (statSync(path).mode & 0o777).toString(8))).to.deep.equal([
      '700',
      '700',
      '750',
    ]);
    expect(socketAddress(dir, 'etcd')).to.equal(`unix:${parent}/a/b/run/etcd.sock`);
  });
  it('keeps sockets elsewhere when its path is too long for them', () => {
    const dir = openDataDir(join(parent, 'x'.repeat(90)));
    expect(dir.run.startsWith(join(tmpdir(), 'kubechain-'))).to.equal(true);
    expect(openDataDir(dir.root).run).to.equal(dir.run);
    rmSync(dir.run, { recursive: true });
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
