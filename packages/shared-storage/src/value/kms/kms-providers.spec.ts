import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@kubechain/apimachinery';
import { MetricRegistry } from '../../metrics/metric-registry.ts';
import { EncryptionFile } from '../encryption-file.ts';
import { EncryptionMetrics } from '../encryption-metrics.ts';
import { FakePlugin } from './testing/fake-plugin.ts';

describe('KMS providers of an encryption file', () => {
  const secrets = { group: '', resource: 'secrets' };
  const plain = Buffer.from('{}');
  let folder: string;
  let path: string;
  let registry: MetricRegistry;
  let file: EncryptionFile | undefined;
  const plugins: FakePlugin[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-kms-'));
    path = join(folder, 'config.json');
    registry = new MetricRegistry();
  });
  afterEach(async () => {
    file?.close();
    for (const plugin of plugins.splice(0)) await plugin.close();
    await rm(folder, { recursive: true, force: true });
  });
  const listen = async (name: string): Promise<FakePlugin> => {
    const plugin = new FakePlugin();
    await plugin.listen(join(folder, name));
    plugins.push(plugin);
    return plugin;
  };
  const configure = (...names: string[]): Promise<void> =>
    writeFile(
      path,
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'EncryptionConfiguration',
        resources: [
          {
            resources: ['secrets'],
            providers: names.map((name) => ({
              kms: { apiVersion: 'v2', name, endpoint: `unix://${join(folder, name)}`, timeout: '200ms' },
            })),
          },
        ],
      }),
    );
  const load = async (): Promise<EncryptionFile> =>
    (file = await EncryptionFile.load(path, {
      reloads: true,
      metrics: new EncryptionMetrics(registry, 'apiserver-1'),
      healthTimeoutMs: 300,
    }));
  const failureOf = async (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => '',
      (error: unknown) => messageOf(error),
    );

  it('are asked when the file is loaded, and named in health by their place', async () => {
    const one = await listen('one');
    await configure('one', 'two');
    const opened = await load();
    expect(one.calls).to.deep.equal(['Status', 'Encrypt']);
    expect(await failureOf(opened.checkHealth())).to.match(
      /^kms-provider-1: failed to perform status section of the healthz check for KMS Provider two, error: /,
    );
  });

  it('must be well before a new configuration counts', async () => {
    await listen('one');
    await configure('one');
    const opened = await load();
    const transformer = opened.transformerFor(secrets) ?? expect.fail();
    const stored = await transformer.toStorage(plain, '/k');
    await configure('two', 'one');
    expect(await failureOf(opened.reload())).to.match(
      /^health check for new transformers failed, polling error timed out waiting for the condition: kms-provider-0: /,
    );
    expect((await transformer.fromStorage(stored, '/k')).stale).to.equal(false);
  });

  it('go on with their keys in a new configuration, and end when they are in none', async () => {
    const one = await listen('one');
    await listen('two');
    await configure('one');
    const opened = await load();
    const transformer = opened.transformerFor(secrets) ?? expect.fail();
    const stored = await transformer.toStorage(plain, '/k');
    await configure('two', 'one');
    expect(await opened.reload()).to.equal(true);
    const read = await transformer.fromStorage(stored, '/k');
    expect(read.stale).to.equal(true);
    expect(Buffer.from(read.value).equals(plain)).to.equal(true);
    expect(
      one.calls.filter((call) => call === 'Encrypt'),
      'the same seed',
    ).to.deep.equal(['Encrypt']);
    expect(Buffer.from((await transformer.toStorage(plain, '/k')).subarray(0, 19)).toString('latin1')).to.equal(
      'k8s:enc:kms:v2:two:',
    );
  });

  it('are counted', async () => {
    await listen('one');
    await configure('one');
    const before = (await EncryptionFile.load(path)).transformerFor(secrets) ?? expect.fail();
    const transformer = (await load()).transformerFor(secrets) ?? expect.fail();
    await transformer.fromStorage(await transformer.toStorage(plain, '/k'), '/k');
    await transformer.fromStorage(await before.toStorage(plain, '/k'), '/k');
    const labels = (name: string): string[] =>
      registry
        .samples(name)
        .filter((sample) => sample.name?.endsWith('_count') ?? true)
        .map((sample) => `${Object.values(sample.labels).join(' ')} ${sample.value}`);
    const keyHash = /sha256:[0-9a-f]{64}/g;
    expect(
      labels('apiserver_envelope_encryption_key_id_hash_total').map((text) => text.replaceAll(keyHash, 'H')),
    ).to.deep.equal(['to_storage one H H 1', 'from_storage one H H 2']);
    expect(labels('apiserver_envelope_encryption_kms_operations_latency_seconds')).to.have.members([
      'one /v2.KeyManagementService/Status OK 1',
      'one /v2.KeyManagementService/Encrypt OK 1',
      'one /v2.KeyManagementService/Decrypt OK 1',
    ]);
    expect(labels('apiserver_storage_envelope_transformation_cache_misses_total')).to.deep.equal([' 1']);
    expect(labels('apiserver_envelope_encryption_dek_source_cache_size')).to.deep.equal(['one 2']);
    expect(labels('apiserver_storage_data_key_generation_duration_seconds')).to.deep.equal([' 1']);
    expect(
      registry.samples('apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds'),
    ).to.have.lengthOf(1);
  });
});
