import { assert } from 'chai';
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
    assert.deepEqual(one.calls, ['Status', 'Encrypt']);
    assert.match(
      await failureOf(opened.checkHealth()),
      /^kms-provider-1: failed to perform status section of the healthz check for KMS Provider two, error: /,
    );
  });

  it('must be well before a new configuration counts', async () => {
    await listen('one');
    await configure('one');
    const opened = await load();
    const transformer = opened.transformerFor(secrets) ?? assert.fail();
    const stored = await transformer.toStorage(plain, '/k');
    await configure('two', 'one');
    assert.match(
      await failureOf(opened.reload()),
      /^health check for new transformers failed, polling error timed out waiting for the condition: kms-provider-0: /,
    );
    assert.isFalse((await transformer.fromStorage(stored, '/k')).stale);
  });

  it('go on with their keys in a new configuration, and end when they are in none', async () => {
    const one = await listen('one');
    await listen('two');
    await configure('one');
    const opened = await load();
    const transformer = opened.transformerFor(secrets) ?? assert.fail();
    const stored = await transformer.toStorage(plain, '/k');
    await configure('two', 'one');
    assert.isTrue(await opened.reload());
    const read = await transformer.fromStorage(stored, '/k');
    assert.isTrue(read.stale);
    assert.isTrue(Buffer.from(read.value).equals(plain));
    assert.deepEqual(
      one.calls.filter((call) => call === 'Encrypt'),
      ['Encrypt'],
      'the same seed',
    );
    assert.equal(
      Buffer.from((await transformer.toStorage(plain, '/k')).subarray(0, 19)).toString('latin1'),
      'k8s:enc:kms:v2:two:',
    );
  });

  it('are counted', async () => {
    await listen('one');
    await configure('one');
    const before = (await EncryptionFile.load(path)).transformerFor(secrets) ?? assert.fail();
    const transformer = (await load()).transformerFor(secrets) ?? assert.fail();
    await transformer.fromStorage(await transformer.toStorage(plain, '/k'), '/k');
    await transformer.fromStorage(await before.toStorage(plain, '/k'), '/k');
    const labels = (name: string): string[] =>
      registry
        .samples(name)
        .filter((sample) => sample.name?.endsWith('_count') ?? true)
        .map((sample) => `${Object.values(sample.labels).join(' ')} ${sample.value}`);
    const keyHash = /sha256:[0-9a-f]{64}/g;
    assert.deepEqual(
      labels('apiserver_envelope_encryption_key_id_hash_total').map((text) => text.replaceAll(keyHash, 'H')),
      ['to_storage one H H 1', 'from_storage one H H 2'],
    );
    assert.sameMembers(labels('apiserver_envelope_encryption_kms_operations_latency_seconds'), [
      'one /v2.KeyManagementService/Status OK 1',
      'one /v2.KeyManagementService/Encrypt OK 1',
      'one /v2.KeyManagementService/Decrypt OK 1',
    ]);
    assert.deepEqual(labels('apiserver_storage_envelope_transformation_cache_misses_total'), [' 1']);
    assert.deepEqual(labels('apiserver_envelope_encryption_dek_source_cache_size'), ['one 2']);
    assert.deepEqual(labels('apiserver_storage_data_key_generation_duration_seconds'), [' 1']);
    assert.lengthOf(registry.samples('apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds'), 1);
  });
});
