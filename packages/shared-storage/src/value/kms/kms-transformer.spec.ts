import { assert } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtobufReader } from '../../etcd3/client/protobuf-reader.ts';
import { ProtobufWriter } from '../../etcd3/client/protobuf-writer.ts';
import { writeAnnotations } from './encrypted-object.ts';
import { KMSService } from './kms-service.ts';
import { KMSTransformer } from './kms-transformer.ts';

/** A KMS v2 plugin that "encrypts" by turning bytes around. */
class FakePlugin {
  keyID = 'key-1';
  healthz = 'ok';
  readonly calls: string[] = [];
  readonly #server: Http2Server = createServer();
  readonly #sessions = new Set<ServerHttp2Session>();

  async listen(path: string): Promise<void> {
    this.#server.on('session', session => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => this.#answer(stream, String(headers[':path']), Buffer.concat(chunks).subarray(5)));
    });
    await new Promise<void>(resolve => this.#server.listen(path, resolve));
  }

  #answer(stream: ServerHttp2Stream, path: string, request: Buffer): void {
    const method = path.replace('/v2.KeyManagementService/', '');
    this.calls.push(method);
    const writer = new ProtobufWriter();
    if (method === 'Status') {
      writer.string(1, 'v2');
      writer.string(2, this.healthz);
      writer.string(3, this.keyID);
    } else {
      const reader = new ProtobufReader(request);
      let bytes: Buffer = Buffer.alloc(0);
      let annotated = false;
      for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
        if (tag === 10) bytes = reader.bytes();
        else {
          annotated ||= tag === 34;
          reader.skip(tag);
        }
      }
      assert.equal(annotated, method === 'Decrypt', 'annotations come back with the key');
      writer.bytes(1, Buffer.from(bytes).reverse());
      if (method === 'Encrypt') {
        writer.string(2, this.keyID);
        writeAnnotations(writer, 3, new Map([['version.encryption.example.io', Buffer.from('1')]]));
      }
    }
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(writer.frame());
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }
}

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
    const transformer = new KMSTransformer('test', new KMSService(`unix://${join(folder, 'kms.sock')}`, 1_000), () => nowMs);
    opened.push(transformer);
    return transformer;
  };
  const failureOf = async (promise: Promise<unknown>): Promise<string> => promise.then(() => '', (error: unknown) => error instanceof Error ? error.message : String(error));

  it('encrypts the seed once and every value with its own key', async () => {
    const transformer = open();
    const first = await transformer.toStorage(plain, '/k');
    const second = await transformer.toStorage(plain, '/k');
    assert.isFalse(Buffer.from(first).equals(second));
    assert.isFalse(Buffer.from(first).includes(plain));
    assert.deepEqual(plugin.calls, ['Status', 'Encrypt']);
    const read = await transformer.fromStorage(first, '/k');
    assert.isTrue(Buffer.from(read.value).equals(plain));
    assert.isFalse(read.stale);
  });

  it('reads what another process has written, decrypting its seed once', async () => {
    const stored = await Promise.all([1, 2, 3].map(() => open().toStorage(plain, '/k')));
    const one = await open().toStorage(plain, '/k');
    const reader = open();
    plugin.calls.length = 0;
    for (const value of [one, one, ...stored]) assert.isTrue(Buffer.from((await reader.fromStorage(value, '/k')).value).equals(plain));
    assert.deepEqual(plugin.calls.filter(call => call === 'Decrypt'), ['Decrypt', 'Decrypt', 'Decrypt', 'Decrypt']);
  });

  it('refuses a value moved to another key, and garbage', async () => {
    const transformer = open();
    const stored = await transformer.toStorage(plain, '/k');
    assert.equal(await failureOf(transformer.fromStorage(stored, '/other')), 'cipher: message authentication failed');
    assert.include(await failureOf(transformer.fromStorage(Buffer.from('garbage'), '/k')), 'encrypted object');
  });

  it('takes a new seed with a new key, and tells that older values are stale', async () => {
    const transformer = open();
    const old = await transformer.toStorage(plain, '/k');
    plugin.keyID = 'key-2';
    await transformer.checkHealth();
    assert.isTrue((await transformer.fromStorage(old, '/k')).stale);
    assert.isFalse((await transformer.fromStorage(await transformer.toStorage(plain, '/k'), '/k')).stale);
    plugin.calls.length = 0;
    await transformer.checkHealth();
    assert.deepEqual(plugin.calls, ['Status']);
  });

  it('writes for three minutes with a plugin that is not healthy, and reads on', async () => {
    const transformer = open();
    const stored = await transformer.toStorage(plain, '/k');
    plugin.healthz = 'broken';
    assert.equal(await failureOf(transformer.checkHealth()), 'kmsv2 Provider test is not healthy, error: got unexpected healthz status: broken');
    nowMs += 179_000;
    await transformer.toStorage(plain, '/k');
    nowMs += 2_000;
    assert.include(await failureOf(transformer.toStorage(plain, '/k')), 'is not healthy');
    assert.isFalse((await transformer.fromStorage(stored, '/k')).stale);
    plugin.healthz = 'ok';
    await transformer.checkHealth();
    await transformer.toStorage(plain, '/k');
  });

  it('fails soon without a plugin', async () => {
    const transformer = new KMSTransformer('gone', new KMSService(`unix://${join(folder, 'none.sock')}`, 500));
    opened.push(transformer);
    assert.match(await failureOf(transformer.toStorage(plain, '/k')), /^kmsv2 Provider gone is not healthy, error: .*ENOENT/);
  });
});
