import { expect } from 'chai';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MetricRegistry } from '../metrics/metric-registry.ts';
import { EncryptionFile } from './encryption-file.ts';
import { EncryptionMetrics } from './encryption-metrics.ts';
import { EncryptionReloader } from './encryption-reloader.ts';

const configuration = (...keys: string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        providers: [
          { aescbc: { keys: keys.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') })) } },
        ],
      },
    ],
  });

describe('EncryptionReloader', () => {
  let folder: string;
  let path: string;
  let registry: MetricRegistry;
  let file: EncryptionFile;
  let reloader: EncryptionReloader;
  let errors: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-reload-'));
    path = join(folder, 'config.json');
    await writeFile(path, configuration('a'));
    registry = new MetricRegistry();
    const metrics = new EncryptionMetrics(registry, 'apiserver-1');
    file = await EncryptionFile.load(path, { reloads: true, metrics });
    errors = [];
    reloader = new EncryptionReloader(file, { metrics, pollMs: 10, onError: (error) => errors.push(String(error)) });
    reloader.start();
  });
  afterEach(async () => {
    await reloader.stop();
    file.close();
    await rm(folder, { recursive: true });
  });
  /** At once: a file that is read while it is written is a failure, and read again. */
  const replace = async (text: string): Promise<void> => {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  };
  const until = async (check: () => boolean): Promise<void> => {
    for (let i = 0; !check(); i++) {
      expect(i).to.be.below(500);
      await delay(10);
    }
  };
  const count = (status: string): number =>
    registry
      .samples('apiserver_encryption_config_controller_automatic_reloads_total')
      .find(({ labels }) => labels['status'] === status)?.value ?? 0;
  const writer = async (): Promise<string> => {
    const written = await file.transformerFor({ group: '', resource: 'secrets' })?.toStorage(Buffer.from('v'), '/k');
    return (
      Buffer.from(written ?? [])
        .toString('latin1')
        .split(':')[4] ?? ''
    );
  };

  it('takes a new configuration, once', async () => {
    await replace(configuration('b', 'a'));
    await until(() => count('success') === 1);
    expect(await writer()).to.equal('b');
    await delay(50);
    expect(count('success')).to.equal(1);
    expect(count('failure')).to.equal(0);
    const [info] = registry.samples('apiserver_encryption_config_controller_last_config_info');
    expect(info?.labels['hash'] ?? '').to.match(/^sha256:[0-9a-f]{64}$/);
    expect(info?.labels['apiserver_id_hash'] ?? '').to.match(/^sha256:[0-9a-f]{64}$/);
  });

  it('stays with the last good one, and tells, until the file is good again', async () => {
    await replace('{ nonsense');
    await until(() => count('failure') > 1);
    expect(errors[0]).to.include('error while parsing encryption provider configuration file');
    expect(await writer()).to.equal('a');
    await replace(configuration('b', 'a'));
    await until(() => count('success') === 1);
    expect(await writer()).to.equal('b');
    expect(
      registry
        .samples('apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds')
        .find(({ labels }) => labels['status'] === 'success')?.value ?? 0,
    ).to.be.above(1e9);
  });
});
