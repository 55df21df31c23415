import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@kubechain/apimachinery';
import { MetricRegistry } from '../../metrics/metric-registry.ts';
import { AESCBCTransformer } from '../aes-cbc.ts';
import { EncryptionFile } from '../encryption-file.ts';
import { EncryptionMetrics } from '../encryption-metrics.ts';
import type { ValueTransformer } from '../transformer.ts';
import { FakeV1Plugin } from './testing/fake-v1-plugin.ts';

describe('a KMS v1 provider', () => {
  const secrets = { group: '', resource: 'secrets' };
  const plain = Buffer.from('{"kind":"Secret"}');
  let folder: string;
  let path: string;
  let plugin: FakeV1Plugin;
  let registry: MetricRegistry;
  let file: EncryptionFile | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-kms-v1-'));
    path = join(folder, 'config.json');
    plugin = new FakeV1Plugin();
    registry = new MetricRegistry();
    await plugin.listen(join(folder, 'socket'));
  });
  afterEach(async () => {
    file?.close();
    file = undefined;
    await plugin.close();
    await rm(folder, { recursive: true, force: true });
  });
  const load = async (
    fields: Readonly<Record<string, unknown>> = {},
    options: { readonly reloads?: boolean; readonly allowsKMSv1?: boolean } = { allowsKMSv1: true },
  ): Promise<EncryptionFile> => {
    const kms = { name: 'old', endpoint: `unix://${join(folder, 'socket')}`, timeout: '2s', ...fields };
    await writeFile(
      path,
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'EncryptionConfiguration',
        resources: [{ resources: ['secrets'], providers: [{ kms }] }],
      }),
    );
    return (file = await EncryptionFile.load(path, { ...options, metrics: new EncryptionMetrics(registry, 'a') }));
  };
  const transformer = async (fields: Readonly<Record<string, unknown>> = {}): Promise<ValueTransformer> =>
    (await load(fields)).transformerFor(secrets) ?? expect.fail();
  const failureOf = (work: Promise<unknown>): Promise<string> => work.then(() => '', messageOf);

  it('is refused unless the feature gate KMSv1 is on, in the words of kube-apiserver', async () => {
    expect(await failureOf(load({}, {}))).to.contain(
      'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set ' +
        '--feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
    );
  });

  it('has a key for each value, which the plugin encrypts and which stands before it', async () => {
    const opened = await transformer();
    plugin.calls.length = 0;
    const stored = [await opened.toStorage(plain, '/a'), await opened.toStorage(plain, '/a')].map((bytes) =>
      Buffer.from(bytes),
    );
    expect(plugin.calls).to.deep.equal(['Encrypt', 'Encrypt']);
    const prefix = 'k8s:enc:kms:v1:old:';
    expect(stored.map((bytes) => bytes.toString('latin1', 0, prefix.length))).to.deep.equal([prefix, prefix]);
    const keys = stored.map((bytes) => bytes.subarray(prefix.length + 2, prefix.length + 34).toString('hex'));
    expect(stored.map((bytes) => bytes.readUInt16BE(prefix.length))).to.deep.equal([32, 32]);
    expect(keys[0]).to.not.equal(keys[1]);
  });

  it('reads what it wrote, without the plugin while it keeps the key', async () => {
    const opened = await transformer();
    const stored = await opened.toStorage(plain, '/a');
    plugin.calls.length = 0;
    const { stale, value } = await opened.fromStorage(stored, '/a');
    expect([Buffer.from(value).toString(), stale, plugin.calls]).to.deep.equal([plain.toString(), false, []]);
  });

  it('has the plugin decrypt keys that it does not keep', async () => {
    const opened = await transformer({ cachesize: 1 });
    const first = await opened.toStorage(plain, '/a');
    await opened.toStorage(plain, '/b');
    plugin.calls.length = 0;
    await opened.fromStorage(first, '/a');
    expect(plugin.calls).to.deep.equal(['Decrypt']);
    expect(registry.samples('apiserver_envelope_encryption_dek_cache_fill_percent')[0]?.value).to.equal(1);
  });

  it('keeps no keys where it is told so', async () => {
    const opened = await transformer({ cachesize: -1 });
    const stored = await opened.toStorage(plain, '/a');
    plugin.calls.length = 0;
    await opened.fromStorage(stored, '/a');
    await opened.fromStorage(stored, '/a');
    expect(plugin.calls).to.deep.equal(['Decrypt', 'Decrypt']);
  });

  it('reads what releases before 1.25 wrote with AES-CBC, and calls it stale', async () => {
    const opened = await transformer();
    const key = Buffer.alloc(32, 7);
    const length = Buffer.from([0, key.length]);
    const data = new AESCBCTransformer(key).toStorage(plain);
    const old = Buffer.concat([Buffer.from('k8s:enc:kms:v1:old:'), length, Buffer.from(key).reverse(), data]);
    const { stale, value } = await opened.fromStorage(old, '/a');
    expect([Buffer.from(value).toString(), stale]).to.deep.equal([plain.toString(), true]);
  });

  it('says what cannot be read', async () => {
    const opened = await transformer();
    const broken = Buffer.from('k8s:enc:kms:v1:old:\xff\xffabc', 'latin1');
    expect(await failureOf(Promise.resolve(opened.fromStorage(broken, '/a')))).to.equal(
      'invalid data encountered by envelope transformer: failed to read uint16 length prefixed data',
    );
  });

  it('does not go on with a plugin of another version', async () => {
    plugin.version = 'v2';
    const opened = await transformer();
    expect(await failureOf(Promise.resolve(opened.toStorage(plain, '/a')))).to.equal(
      'KMS provider api version v2 is not supported, only v1beta1 is supported now',
    );
  });

  it('has a health check of its own, in which the plugin encrypts and decrypts', async () => {
    const [check, ...others] = (await load()).healthChecks;
    expect([check?.name, others]).to.deep.equal(['kms-provider-0', []]);
    expect(plugin.calls).to.deep.equal(['Version', 'Encrypt', 'Decrypt']);
    await check?.check();
  });

  it('says in its health check which of both failed', async () => {
    plugin.status = 14;
    const [check] = (await load()).healthChecks;
    expect(await failureOf(check?.check() ?? expect.fail())).to.match(
      /^failed to perform encrypt section of the healthz check for KMS Provider old, error: /,
    );
  });

  it('shares one health check with the others where the file is read again', async () => {
    const opened = await load({}, { allowsKMSv1: true, reloads: true });
    expect(opened.healthChecks.map(({ name }) => name)).to.deep.equal(['kms-providers']);
  });

  it('keeps at least one key', async () => {
    expect(await failureOf(load({ cachesize: 0 }))).to.contain(
      'resources[0].providers[0].kms.cachesize: Invalid value: 0: cachesize should be a non-zero value',
    );
  });
});
