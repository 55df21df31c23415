import { assert } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { FaultProxy } from '../testing/faults/fault-proxy.ts';
import { tlsFixture } from '../testing/tls-fixture.ts';
import type { EtcdClient, EtcdEvent, EtcdWatch, EtcdWatchRequest, EtcdWatchSink } from './etcd-client.ts';
import type { EtcdError, EtcdErrorCode } from './etcd-error.ts';
import { isEtcdError } from './etcd-error.ts';
import { createEtcdClient } from './etcd3-client.ts';
import type { EtcdClientOptions } from './etcd3-client.ts';

/** Keeps what a watch delivers. */
class Sink implements EtcdWatchSink {
  readonly keys: string[] = [];
  readonly batches: number[] = [];
  readonly progressed: number[] = [];
  readonly ended = Promise.withResolvers<EtcdError | undefined>();
  readonly #created = Promise.withResolvers<void>();
  #want: { readonly count: number; readonly resolve: () => void } | undefined;

  created(): void {
    this.#created.resolve();
  }
  events(events: readonly EtcdEvent[]): void {
    this.batches.push(events.length);
    for (const event of events) this.keys.push(`${event.deleted ? '-' : '+'}${event.kv.key}`);
    if (this.#want !== undefined && this.keys.length >= this.#want.count) this.#want.resolve();
  }
  progress(revision: number): void {
    this.progressed.push(revision);
  }
  end(error: EtcdError | undefined): void {
    this.ended.resolve(error);
  }

  get isCreated(): Promise<void> {
    return this.#created.promise;
  }
  async seen(count: number): Promise<string[]> {
    if (this.keys.length < count)
      await new Promise<void>((resolve) => {
        this.#want = { count, resolve };
      });
    return this.keys;
  }
}

async function failure(promise: Promise<unknown>, code: EtcdErrorCode): Promise<EtcdError> {
  try {
    await promise;
  } catch (error) {
    if (!isEtcdError(error)) throw error;
    assert.equal(error.code, code, error.message);
    return error;
  }
  return assert.fail(`expected EtcdError ${code}, but the call succeeded`);
}

describe('etcd client', () => {
  let folder: string;
  let etcd: EmbeddedEtcd;
  const closing: (() => Promise<void>)[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-client-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
  });
  after(async () => {
    await etcd.close();
    await rm(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const connect = (options: Partial<EtcdClientOptions> = {}): EtcdClient => {
    const client = createEtcdClient({ endpoints: [etcd.endpoint], unreachableRetryMs: 0, ...options });
    closing.push(() => client.close());
    return client;
  };
  const proxied = async (): Promise<FaultProxy> => {
    const proxy = await FaultProxy.start(etcd.endpoint);
    closing.push(() => proxy.close());
    return proxy;
  };
  const watching = async (
    client: EtcdClient,
    request: EtcdWatchRequest,
  ): Promise<{ readonly watch: EtcdWatch; readonly sink: Sink }> => {
    const sink = new Sink();
    const watch = client.watch(request, sink);
    await sink.isCreated;
    return { watch, sink };
  };
  const put = (client: EtcdClient, key: string, value = 'v'): Promise<{ readonly revision: number }> =>
    client.put({ key, value: Buffer.from(value) });

  describe('calls', () => {
    it('put, range and delete', async () => {
      const client = connect();
      const first = await put(client, 'calls/a', 'ä');
      const second = await put(client, 'calls/a', 'b');
      const { kvs, count, more } = await client.range({ key: 'calls/', rangeEnd: 'calls0' });
      assert.deepEqual({ count, more }, { count: 1, more: false });
      const [kv] = kvs;
      assert.deepEqual(
        kv && {
          key: kv.key,
          value: kv.value.toString(),
          create: kv.createRevision,
          mod: kv.modRevision,
          version: kv.version,
          lease: kv.lease,
        },
        { key: 'calls/a', value: 'b', create: first.revision, mod: second.revision, version: 2, lease: 0n },
      );
      assert.equal((await client.range({ key: 'calls/a', revision: first.revision })).kvs[0]?.value.toString(), 'ä');
      assert.equal((await client.delete({ key: 'calls/a' })).deleted, 1);
      assert.lengthOf((await client.range({ key: 'calls/a' })).kvs, 0);
    });

    it('limits, counts and leaves out values', async () => {
      const client = connect();
      for (const name of ['a', 'b', 'c']) await put(client, `limits/${name}`);
      const range = { key: 'limits/', rangeEnd: 'limits0' };
      const limited = await client.range({ ...range, limit: 2 });
      assert.deepEqual(
        { keys: limited.kvs.map((kv) => kv.key), more: limited.more, count: limited.count },
        { keys: ['limits/a', 'limits/b'], more: true, count: 3 },
      );
      const counted = await client.range({ ...range, countOnly: true });
      assert.deepEqual({ kvs: counted.kvs.length, count: counted.count }, { kvs: 0, count: 3 });
      assert.isTrue((await client.range({ ...range, keysOnly: true })).kvs.every((kv) => kv.value.length === 0));
    });

    it('compares in transactions', async () => {
      const client = connect();
      const txn = (modRevision: number, value: string): ReturnType<EtcdClient['txn']> =>
        client.txn({
          compare: [{ key: 'txn', modRevision }],
          success: [{ kind: 'put', request: { key: 'txn', value: Buffer.from(value) } }],
          failure: [{ kind: 'range', request: { key: 'txn' } }],
        });
      const created = await txn(0, 'one');
      assert.isTrue(created.succeeded);
      const conflict = await txn(0, 'two');
      assert.isFalse(conflict.succeeded);
      assert.equal(conflict.responses[0]?.[0]?.modRevision, created.revision);
      assert.isTrue((await txn(created.revision, 'three')).succeeded);
      const deleted = await client.txn({
        compare: [{ key: 'txn', version: 2 }],
        success: [{ kind: 'delete', request: { key: 'txn', prevKv: true } }],
        failure: [],
      });
      assert.equal(deleted.responses[0]?.[0]?.value.toString(), 'three');
    });

    it('grants, keeps and revokes leases', async () => {
      const client = connect();
      const id = await client.leaseGrant(100);
      assert.isAtMost(Math.abs((await client.leaseTimeToLive(id)) - 100), 2);
      await client.put({ key: 'leased', value: Buffer.from('1'), lease: id });
      await client.put({ key: 'leased', value: Buffer.from('2'), keepLease: true });
      assert.equal((await client.range({ key: 'leased' })).kvs[0]?.lease, id);
      await client.leaseRevoke(id);
      assert.lengthOf((await client.range({ key: 'leased' })).kvs, 0);
      await failure(client.leaseRevoke(id), 'LeaseNotFound');
      assert.equal(await client.leaseTimeToLive(id), -1);
    });

    it('tells compacted and future revisions apart', async () => {
      const client = connect();
      const first = await put(client, 'compact');
      const { revision } = await put(client, 'compact');
      await client.compact(revision);
      await failure(client.range({ key: 'compact', revision: first.revision }), 'Compacted');
      await failure(client.range({ key: 'compact', revision: revision + 1000 }), 'FutureRevision');
      await failure(client.compact(first.revision), 'Compacted');
    });

    it('carry large values', async () => {
      const client = connect();
      const value = Buffer.alloc(1_400_000, 'x');
      for (let i = 0; i < 6; i++) await client.put({ key: `large/${i}`, value });
      const { kvs } = await client.range({ key: 'large/', rangeEnd: 'large0' });
      assert.isTrue(kvs.length === 6 && kvs.every((kv) => kv.value.equals(value)));
    });

    it('run side by side', async () => {
      const client = connect();
      await Promise.all(Array.from({ length: 300 }, (_, i) => put(client, `many/${i}`, String(i))));
      const values = await Promise.all(
        Array.from({ length: 300 }, async (_, i) =>
          (await client.range({ key: `many/${i}` })).kvs[0]?.value.toString(),
        ),
      );
      assert.deepEqual(
        values,
        Array.from({ length: 300 }, (_, i) => String(i)),
      );
    });

    it('can be aborted', async () => {
      const client = connect();
      const controller = new AbortController();
      const call = client.range({ key: 'x' }, { signal: controller.signal });
      controller.abort();
      await failure(call, 'Cancelled');
      await failure(client.range({ key: 'x' }, { signal: controller.signal }), 'Cancelled');
      await client.range({ key: 'x' });
    });

    it('are refused once the client is closed', async () => {
      const client = connect();
      await client.range({ key: 'x' });
      await client.close();
      await failure(client.range({ key: 'x' }), 'Cancelled');
    });
  });

  describe('watches', () => {
    it('join fragments into whole revisions', async () => {
      const client = connect();
      const { watch, sink } = await watching(client, { key: 'fragments/', rangeEnd: 'fragments0', startRevision: 0 });
      const value = Buffer.alloc(400_000, 'x');
      // One revision of more than the server puts into one message.
      await Promise.all(Array.from({ length: 12 }, (_, i) => client.put({ key: `fragments/${i}`, value })));
      const { revision } = await put(client, 'fragments/last');
      await sink.seen(13);
      const replay = await watching(client, {
        key: 'fragments/',
        rangeEnd: 'fragments0',
        startRevision: revision - 12,
      });
      assert.lengthOf(await replay.sink.seen(13), 13);
      watch.cancel();
      replay.watch.cancel();
      assert.isUndefined(await sink.ended.promise);
    });

    it('end with Compacted where their start is gone', async () => {
      const client = connect();
      const { revision } = await put(client, 'gone');
      await client.compact((await put(client, 'gone')).revision);
      const sink = new Sink();
      client.watch({ key: 'gone', startRevision: revision }, sink);
      assert.isTrue(isEtcdError(await sink.ended.promise, 'Compacted'));
    });

    it('end with an error when the connection is cut, and never begin again', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint] });
      const { sink } = await watching(client, { key: 'cut/', rangeEnd: 'cut0', startRevision: 0 });
      await put(client, 'cut/a');
      await sink.seen(1);
      proxy.cut();
      assert.isTrue(isEtcdError(await sink.ended.promise, 'Unavailable'));
      await put(connect(), 'cut/b');
      await delay(50);
      assert.deepEqual(sink.keys, ['+cut/a']);
    });

    it('hold up no others when they are paused', async () => {
      const client = connect();
      const paused = await watching(client, { key: 'pause/', rangeEnd: 'pause0', startRevision: 0 });
      const other = await watching(client, { key: 'pause/', rangeEnd: 'pause0', startRevision: 0 });
      paused.watch.pause();
      const value = Buffer.alloc(500_000, 'x');
      for (let i = 0; i < 40; i++) await client.put({ key: `pause/${i}`, value });
      assert.lengthOf(await other.sink.seen(40), 40);
      assert.isBelow(paused.sink.keys.length, 40, 'flow control keeps the rest in etcd');
      paused.watch.resume();
      assert.deepEqual(await paused.sink.seen(40), other.sink.keys);
    });

    it('are cancelled with the client', async () => {
      const client = connect();
      const { sink } = await watching(client, { key: 'close', startRevision: 0 });
      await client.close();
      assert.isUndefined(await sink.ended.promise);
    });

    it('end when there is nobody to watch', async () => {
      const sink = new Sink();
      connect({ endpoints: ['http://127.0.0.1:1'] }).watch({ key: 'x', startRevision: 0 }, sink);
      assert.isTrue(isEtcdError(await sink.ended.promise, 'Unavailable'));
    });
  });

  describe('faults', () => {
    it('an unreachable etcd is one line and soon', async () => {
      let fastestMs = Infinity;
      // Once is enough, the machine may be busy.
      for (let tries = 0; tries < 10 && fastestMs >= 1_000; tries++) {
        const startedMs = performance.now();
        const error = await failure(
          connect({ endpoints: ['http://127.0.0.1:1'], unreachableRetryMs: 100 }).range({ key: 'x' }),
          'Unavailable',
        );
        assert.equal(error.message, 'etcd at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1');
        fastestMs = Math.min(fastestMs, performance.now() - startedMs);
      }
      assert.isBelow(fastestMs, 1_000);
    });

    it('a server that does not speak HTTP/2 is not waited for', async () => {
      const silent: Server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(
        0,
        '127.0.0.1',
      );
      await new Promise((resolve) => silent.once('listening', resolve));
      const address = silent.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      closing.push(async () => {
        await new Promise((resolve) => silent.close(resolve));
      });
      const error = await failure(
        connect({ endpoints: [`127.0.0.1:${port}`], connectTimeoutMs: 100 }).range({ key: 'x' }),
        'Unavailable',
      );
      assert.include(error.message, 'no connection within 100 ms');
    });

    it('a client can be closed while it connects', async () => {
      const proxy = await proxied();
      proxy.setFault({ kind: 'stall' });
      const client = connect({ endpoints: [proxy.endpoint], connectTimeoutMs: 60_000 });
      const startedMs = performance.now();
      const call = client.range({ key: 'x' });
      await delay(50);
      await client.close();
      await failure(call, 'Unavailable');
      assert.isBelow(performance.now() - startedMs, 30_000);
    });

    it('a stalled etcd is given up after the timeout, and its connection replaced', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], requestTimeoutMs: 200, keepaliveTimeoutMs: 100 });
      await client.range({ key: 'x' }, { timeoutMs: 30_000 });
      proxy.setFault({ kind: 'stall' });
      const error = await failure(client.range({ key: 'x' }), 'DeadlineExceeded');
      assert.include(error.message, 'did not answer within 200 ms');
      await delay(150);
      proxy.setFault({ kind: 'none' });
      await client.range({ key: 'x' }, { timeoutMs: 30_000 });
      assert.equal(proxy.accepted, 2);
    });

    it('a watch on a connection that died silently ends by keepalive', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], keepaliveIntervalMs: 50, keepaliveTimeoutMs: 50 });
      const { sink } = await watching(client, { key: 'x', startRevision: 0 });
      await delay(150);
      proxy.setFault({ kind: 'stall' });
      assert.isTrue(isEtcdError(await sink.ended.promise, 'Unavailable'));
    });

    it('a connection over which nothing comes back is replaced long before it is idle', async () => {
      const proxy = await proxied();
      const client = connect({
        endpoints: [proxy.endpoint],
        silenceMs: 100,
        keepaliveTimeoutMs: 100,
        unreachableRetryMs: 2_000,
      });
      const { sink } = await watching(client, { key: 'x', startRevision: 0 });
      proxy.setFault({ kind: 'stall', only: (connection) => connection === 1 });
      const startedMs = performance.now();
      // A read is asked again over the new connection.
      await client.range({ key: 'x' }, { timeoutMs: 20_000 });
      assert.isTrue(isEtcdError(await sink.ended.promise, 'Unavailable'));
      assert.isBelow(performance.now() - startedMs, 5_000);
    });

    it('a connection over which nothing was asked is left alone', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], silenceMs: 50, keepaliveTimeoutMs: 50 });
      const { sink } = await watching(client, { key: 'x', startRevision: 0 });
      let ended = false;
      void sink.ended.promise.then(() => {
        ended = true;
      });
      await delay(500);
      assert.isFalse(ended);
      assert.equal(proxy.accepted, 1);
    });

    it('a slow etcd is waited for', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint] });
      await client.range({ key: 'x' });
      proxy.setFault({ kind: 'slow', delayMs: 50 });
      const startedMs = performance.now();
      await client.range({ key: 'x' });
      assert.isAbove(performance.now() - startedMs, 90);
    });

    it('reads are repeated on a new connection, also when it is cut under them', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], unreachableRetryMs: 2_000 });
      await client.range({ key: 'x' });
      proxy.setFault({ kind: 'slow', delayMs: 5_000 });
      const reads = Promise.all(Array.from({ length: 10 }, () => client.range({ key: 'x' })));
      await delay(20);
      proxy.setFault({ kind: 'none' });
      proxy.cut();
      await reads;
    });

    it('writes whose fate is unknown are not repeated', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], unreachableRetryMs: 2_000 });
      const { revision } = await put(client, 'fate');
      proxy.setFault({ kind: 'slow', delayMs: 5_000 });
      const write = put(client, 'fate');
      await delay(20);
      proxy.setFault({ kind: 'none' });
      proxy.cut();
      const error = await failure(write, 'Unavailable');
      assert.isFalse(error.notSent);
      assert.equal((await client.range({ key: 'fate' })).kvs[0]?.modRevision, revision);
    });

    it('writes wait for an etcd that is just coming back', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], unreachableRetryMs: 2_000 });
      proxy.setFault({ kind: 'refuse' });
      const write = put(client, 'back');
      await delay(100);
      proxy.setFault({ kind: 'none' });
      await write;
      assert.isAbove(proxy.accepted, 1);
    });

    it('another endpoint takes over', async () => {
      const first = await proxied();
      const second = await proxied();
      const client = connect({ endpoints: [first.endpoint, second.endpoint] });
      await put(client, 'over');
      assert.deepEqual([first.accepted, second.accepted], [1, 0]);
      const { sink } = await watching(client, { key: 'over', startRevision: 0 });
      await first.close();
      assert.isTrue(isEtcdError(await sink.ended.promise, 'Unavailable'));
      await put(client, 'over');
      assert.equal(second.accepted, 1);
      await watching(client, { key: 'over', startRevision: 0 });
    });
  });

  describe('TLS', () => {
    let secure: EmbeddedEtcd;
    before(async () => {
      secure = await startEmbeddedEtcd({
        dataFile: join(folder, 'secure.db'),
        unsafeNoFsync: true,
        tls: { cert: tlsFixture.serverCert, key: tlsFixture.serverKey, trustedCa: tlsFixture.ca, clientCertAuth: true },
      });
    });
    after(() => secure.close());

    it('proves who it is and checks the server', async () => {
      const client = connect({
        endpoints: [secure.endpoint],
        tls: { ca: tlsFixture.ca, cert: tlsFixture.clientCert, key: tlsFixture.clientKey },
      });
      await put(client, 'tls');
      const { watch, sink } = await watching(client, { key: 'tls', startRevision: 1 });
      assert.deepEqual(await sink.seen(1), ['+tls']);
      watch.cancel();
    });

    it('refuses a server that it cannot verify', async () => {
      const error = await failure(connect({ endpoints: [secure.endpoint] }).range({ key: 'x' }), 'Unavailable');
      assert.match(
        error.message,
        /^etcd at https:\/\/127\.0\.0\.1:\d+ cannot be reached: (unable to verify|self-signed certificate)/,
      );
    });

    it('is refused without a client certificate', async () => {
      const error = await failure(
        connect({ endpoints: [secure.endpoint], tls: { ca: tlsFixture.ca } }).range({ key: 'x' }),
        'Unavailable',
      );
      assert.include(error.message, 'certificate required');
    });
  });

  it('connects to a unix socket', async () => {
    const socketPath = join(folder, 'etcd.sock');
    const local = await startEmbeddedEtcd({ dataFile: join(folder, 'local.db'), socketPath, unsafeNoFsync: true });
    closing.push(() => local.close());
    for (const endpoint of [`unix:${socketPath}`, `unix://${socketPath}`])
      await put(connect({ endpoints: [endpoint] }), 'local');
  });
});
