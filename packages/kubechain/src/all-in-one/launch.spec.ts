import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { launchAllInOne } from './launch.ts';

describe('launchAllInOne', function () {
  this.timeout(60_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-launch-'));
  after(() => {
    rmSync(dataDir, { recursive: true });
  });

  it('leaves no thread behind when the cluster cannot start', async () => {
    const threads = (): number =>
      (process.report.getReport() as { readonly workers: readonly unknown[] }).workers.length;
    const before = threads();
    const unusable = { name: 'etcd-servers', arguments: ['--etcd-servers='] };
    const failure = await launchAllInOne(
      { dataDir, securePort: 0, securePortGiven: true, serverFlags: [unusable] },
      { onEvent: () => undefined, onEnded: () => undefined },
    ).catch((error: unknown) => error);
    expect(String(failure)).to.include('--etcd-servers');
    expect(threads()).to.equal(before);
  });
});
