import { expect } from 'chai';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyTimeoutMs } from './ready-timeout.ts';

describe('how long a chain may take to be ready', () => {
  it('is five minutes, and longer where much is stored', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-ready-'));
    const file = join(folder, 'etcd.db');
    expect(readyTimeoutMs(file)).to.equal(300_000);
    writeFileSync(file, 'x');
    expect(readyTimeoutMs(file)).to.equal(300_000);
    truncateSync(file, 2_000_000_000);
    expect(readyTimeoutMs(file)).to.equal(500_000);
    rmSync(folder, { recursive: true });
  });
});
