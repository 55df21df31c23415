import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, messageOf } from '@kubechain/apimachinery';
import { NotingSpan } from '../../testing/noting-span.ts';
import { withSpan } from '../../tracing/span.ts';
import { KMSService } from './kms-service.ts';
import { KMSTransformer } from './kms-transformer.ts';
import { FakePlugin } from './testing/fake-plugin.ts';

describe('KMSTransformer', () => {
  const plain = Buffer.from('{"kind":"Secret"}');
  let folder: string;
  let plugin: FakePlugin;
  let nowMs: number;
  const opened: KMSTransformer[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-kms-'));
    plugin = new FakePlugin();
    await plugin.listen(join(folder, 'kms.sock'));
    nowMs = 1_000_000;
  });
  afterEach(async () => {
    for (const transformer of opened.splice(0)) transformer.close();
    await plugin.close();
    await rm(folder, { recursive: true, force: true });
  });
  const open = (): KMSTransformer => {
    const transformer = new KMSTransformer(
      'test',
      new KMSService({ provider: 'test', endpoint: `unix://${join(folder, 'kms.sock')}`, timeoutMs: 1_000 }),
      { clock: { ...systemClock, now: () => nowMs } },
    );
    opened.push(transformer);
    return transformer;
  };
  const failureOf = async (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => '',
      (error: unknown) => messageOf(error),
    );

  it('encrypts the seed once and every value with its own key', async () => {
    const transformer = open();
    const first = await transformer.toStorage(plain, '/k');
    const second = await transformer.toStorage(plain, '/k');
    expect(Buffer.from(first).equals(second)).to.equal(false);
    expect(Buffer.from(first).includes(plain)).to.equal(false);
    expect(plugin.calls).to.deep.equal(['Status', 'Encrypt']);
    const read = await transformer.fromStorage(first, '/k');
    expect(Buffer.from(read.value).equals(plain)).to.equal(true);
    expect(read.stale).to.equal(false);
  });

  it('reads what another process has written, decrypting its seed once', async () => {
    const stored = await Promise.all([1, 2, 3].map(() => open().toStorage(plain, '/k')));
    const one = await open().toStorage(plain, '/k');
    const reader = open();
    plugin.calls.length = 0;
    for (const value of [one, one, ...stored])
      expect(Buffer.from((await reader.fromStorage(value, '/k')).value).equals(plain)).to.equal(true);
    expect(plugin.calls.filter((call) => call === 'Decrypt')).to.deep.equal([
      'Decrypt',
      'Decrypt',
      'Decrypt',
      'Decrypt',
    ]);
  });

  it('refuses a value moved to another key, and garbage', async () => {
    const transformer = open();
    const stored = await transformer.toStorage(plain, '/k');
    expect(await failureOf(transformer.fromStorage(stored, '/other'))).to.equal(
      'cipher: message authentication failed',
    );
    expect(await failureOf(transformer.fromStorage(Buffer.from('garbage'), '/k'))).to.include('encrypted object');
  });

  it('takes a new seed with a new key, and tells that older values are stale', async () => {
    const transformer = open();
    const old = await transformer.toStorage(plain, '/k');
    plugin.keyID = 'key-2';
    await transformer.checkHealth();
    expect((await transformer.fromStorage(old, '/k')).stale, 'the last answer is young enough').to.equal(false);
    nowMs += 20_000;
    await transformer.checkHealth();
    expect((await transformer.fromStorage(old, '/k')).stale).to.equal(true);
    expect((await transformer.fromStorage(await transformer.toStorage(plain, '/k'), '/k')).stale).to.equal(false);
    plugin.calls.length = 0;
    nowMs += 20_000;
    await transformer.checkHealth();
    await transformer.checkHealth();
    expect(plugin.calls).to.deep.equal(['Status']);
  });

  it('writes for three minutes with a plugin that is not healthy, and reads on', async () => {
    const transformer = open();
    const stored = await transformer.toStorage(plain, '/k');
    plugin.healthz = 'broken';
    nowMs += 20_000;
    expect(await failureOf(transformer.checkHealth())).to.equal(
      'kmsv2 Provider test is not healthy, error: got unexpected healthz status: broken',
    );
    nowMs += 179_000;
    await transformer.toStorage(plain, '/k');
    nowMs += 2_000;
    expect(await failureOf(transformer.toStorage(plain, '/k'))).to.include('is not healthy');
    expect((await transformer.fromStorage(stored, '/k')).stale).to.equal(false);
    plugin.healthz = 'ok';
    await transformer.checkHealth();
    await transformer.toStorage(plain, '/k');
  });

  it('fails soon without a plugin', async () => {
    const transformer = new KMSTransformer(
      'gone',
      new KMSService({ provider: 'gone', endpoint: `unix://${join(folder, 'none.sock')}`, timeoutMs: 500 }),
      { clock: systemClock },
    );
    opened.push(transformer);
    expect(await failureOf(transformer.toStorage(plain, '/k'))).to.match(
      /^failed to perform status section of the healthz check for KMS Provider gone, error: .*ENOENT/,
    );
  });

  it('is a step of requests that are traced, under the names that the reference has', async () => {
    const stored = await open().toStorage(plain, '/k');
    const span = new NotingSpan('transformer.provider.name');
    const transformer = open();
    await transformer.checkHealth();
    await withSpan(span, async () => transformer.fromStorage(stored, '/k'));
    await withSpan(span, async () => transformer.toStorage(plain, '/k'));
    expect(span.notes).to.deep.equal([
      'TransformFromStorage with envelopeTransformer test',
      'About to decode encrypted object',
      'Decoded encrypted object',
      'About to decrypt DEK using remote service',
      'v2.KeyManagementService/Decrypt',
      'DEK decryption succeeded',
      'About to decrypt data using DEK',
      'Data decryption succeeded',
      'TransformToStorage with envelopeTransformer test',
      'About to encrypt data using DEK',
      'Data encryption succeeded',
      'About to encode encrypted object',
      'Encoded encrypted object',
    ]);
  });

  it('tells a traced request which part has failed', async () => {
    const transformer = open();
    const stored = Buffer.from(await transformer.toStorage(plain, '/k'));
    const span = new NotingSpan();
    const read = (value: Uint8Array, key: string): Promise<string> =>
      failureOf(withSpan(span, async () => transformer.fromStorage(value, key)));
    expect(await read(stored.subarray(0, 20), '/k')).to.not.equal('');
    // Data belongs to its key.
    expect(await read(stored, '/other')).to.not.equal('');
    const failures = span.notes.filter((note) => note.includes('failed'));
    expect(failures.map((note) => note.replace(/ \{.*/, ''))).to.deep.equal([
      'Decoding encrypted object failed',
      'Data decryption failed',
    ]);
  });
});
