import { connect as connectSocket } from 'node:net';
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
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
    expect(error.code, error.message).to.equal(code);
    return error;
  }
  return expect.fail(`expected EtcdError ${code}, but the call succeeded`);
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
    it('go over sockets that others make', async () => {
      const asked: string[] = [];
      const client = connect({
        openSocket: (host, port) => {
          asked.push(`${host}:${port}`);
          return connectSocket({ host, port });
        },
      });
      await put(client, 'elsewhere/a');
      expect(asked).to.deep.equal([new URL(etcd.endpoint).host]);
    });

    it('put, range and delete', async () => {
      const client = connect();
      const first = await put(client, 'calls/a', 'ä');
      const second = await put(client, 'calls/a', 'b');
      const { kvs, count, more } = await client.range({ key: 'calls/', rangeEnd: 'calls0' });
      expect({ count, more }).to.deep.equal({ count: 1, more: false });
      const [kv] = kvs;
      expect(
        kv && {
          key: kv.key,
          value: kv.value.toString(),
          create: kv.createRevision,
          mod: kv.modRevision,
          version: kv.version,
          lease: kv.lease,
        },
      ).to.deep.equal({
        key: 'calls/a',
        value: 'b',
        create: first.revision,
        mod: second.revision,
        version: 2,
        lease: 0n,
      });
      expect((await client.range({ key: 'calls/a', revision: first.revision })).kvs[0]?.value.toString()).to.equal('ä');
      expect((await client.delete({ key: 'calls/a' })).deleted).to.equal(1);
      expect((await client.range({ key: 'calls/a' })).kvs).to.have.lengthOf(0);
    });

    it('limits, counts and leaves out values', async () => {
      const client = connect();
      for (const name of ['a', 'b', 'c']) await put(client, `limits/${name}`);
      const range = { key: 'limits/', rangeEnd: 'limits0' };
      const limited = await client.range({ ...range, limit: 2 });
      expect({ keys: limited.kvs.map((kv) => kv.key), more: limited.more, count: limited.count }).to.deep.equal({
        keys: ['limits/a', 'limits/b'],
        more: true,
        count: 3,
      });
      const counted = await client.range({ ...range, countOnly: true });
      expect({ kvs: counted.kvs.length, count: counted.count }).to.deep.equal({ kvs: 0, count: 3 });
      expect((await client.range({ ...range, keysOnly: true })).kvs.every((kv) => kv.value.length === 0)).to.equal(
        true,
      );
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
      expect(created.succeeded).to.equal(true);
      const conflict = await txn(0, 'two');
      expect(conflict.succeeded).to.equal(false);
      expect(conflict.responses[0]?.[0]?.modRevision).to.equal(created.revision);
      expect((await txn(created.revision, 'three')).succeeded).to.equal(true);
      const deleted = await client.txn({
        compare: [{ key: 'txn', version: 2 }],
        success: [{ kind: 'delete', request: { key: 'txn', prevKv: true } }],
        failure: [],
      });
      expect(deleted.responses[0]?.[0]?.value.toString()).to.equal('three');
    });

    it('grants, keeps and revokes leases', async () => {
      const client = connect();
      const id = await client.leaseGrant(100);
      expect(Math.abs((await client.leaseTimeToLive(id)) - 100)).to.be.at.most(2);
      await client.put({ key: 'leased', value: Buffer.from('1'), lease: id });
      await client.put({ key: 'leased', value: Buffer.from('2'), keepLease: true });
      expect((await client.range({ key: 'leased' })).kvs[0]?.lease).to.equal(id);
      await client.leaseRevoke(id);
      expect((await client.range({ key: 'leased' })).kvs).to.have.lengthOf(0);
      await failure(client.leaseRevoke(id), 'LeaseNotFound');
      expect(await client.leaseTimeToLive(id)).to.equal(-1);
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
      expect(kvs.length === 6 && kvs.every((kv) => kv.value.equals(value))).to.equal(true);
    });

    it('are limited in bytes where they are limited in objects, and given up beyond storeAnswer', async () => {
      const client = connect();
      const value = Buffer.alloc(1_000_000, 'x');
      for (let i = 10; i < 80; i++) await client.put({ key: `many/${i}`, value });
      const page = await client.range({ key: 'many/', rangeEnd: 'many0', limit: 60 });
      expect([page.kvs.length, page.more, page.count]).to.deep.equal([8, true, 70]);
      const keys = await client.range({ key: 'many/', rangeEnd: 'many0', limit: 60, keysOnly: true });
      expect(keys.kvs).to.have.length(60);
      const error = await failure(client.range({ key: 'many/', rangeEnd: 'many0' }), 'ResponseTooLarge');
      expect(error.message).to.contain('more than 67108864 bytes');
      // The connection is as good as before.
      expect((await client.range({ key: 'many/10' })).kvs).to.have.length(1);
    });

    it('run side by side', async () => {
      const client = connect();
      await Promise.all(Array.from({ length: 300 }, (_, i) => put(client, `many/${i}`, String(i))));
      const values = await Promise.all(
        Array.from({ length: 300 }, async (_, i) =>
          (await client.range({ key: `many/${i}` })).kvs[0]?.value.toString(),
        ),
      );
      expect(values).to.deep.equal(Array.from({ length: 300 }, (_, i) => String(i)));
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
      expect(await replay.sink.seen(13)).to.have.lengthOf(13);
      watch.cancel();
      replay.watch.cancel();
      expect(await sink.ended.promise).to.equal(undefined);
    });

    it('end with Compacted where their start is gone', async () => {
      const client = connect();
      const { revision } = await put(client, 'gone');
      await client.compact((await put(client, 'gone')).revision);
      const sink = new Sink();
      client.watch({ key: 'gone', startRevision: revision }, sink);
      expect(isEtcdError(await sink.ended.promise, 'Compacted')).to.equal(true);
    });

    it('end with an error when the connection is cut, and never begin again', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint] });
      const { sink } = await watching(client, { key: 'cut/', rangeEnd: 'cut0', startRevision: 0 });
      await put(client, 'cut/a');
      await sink.seen(1);
      proxy.cut();
      expect(isEtcdError(await sink.ended.promise, 'Unavailable')).to.equal(true);
      await put(connect(), 'cut/b');
      await delay(50);
      expect(sink.keys).to.deep.equal(['+cut/a']);
    });

    it('hold up no others when they are paused', async () => {
      const client = connect();
      const paused = await watching(client, { key: 'pause/', rangeEnd: 'pause0', startRevision: 0 });
      const other = await watching(client, { key: 'pause/', rangeEnd: 'pause0', startRevision: 0 });
      paused.watch.pause();
      const value = Buffer.alloc(500_000, 'x');
      for (let i = 0; i < 40; i++) await client.put({ key: `pause/${i}`, value });
      expect(await other.sink.seen(40)).to.have.lengthOf(40);
      expect(paused.sink.keys.length, 'flow control keeps the rest in etcd').to.be.below(40);
      paused.watch.resume();
      expect(await paused.sink.seen(40)).to.deep.equal(other.sink.keys);
    });

    it('are cancelled with the client', async () => {
      const client = connect();
      const { sink } = await watching(client, { key: 'close', startRevision: 0 });
      await client.close();
      expect(await sink.ended.promise).to.equal(undefined);
    });

    it('end when there is nobody to watch', async () => {
      const sink = new Sink();
      connect({ endpoints: ['http://127.0.0.1:1'] }).watch({ key: 'x', startRevision: 0 }, sink);
      expect(isEtcdError(await sink.ended.promise, 'Unavailable')).to.equal(true);
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
        expect(error.message).to.equal(
          'etcd at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
        );
        fastestMs = Math.min(fastestMs, performance.now() - startedMs);
      }
      expect(fastestMs).to.be.below(1_000);
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
      expect(error.message).to.include('no connection within 100 ms');
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
      expect(performance.now() - startedMs).to.be.below(30_000);
    });

    it('a client can be closed in the moment in which its connection is made', async () => {
      const client = connect({
        openSocket: (host, port) => {
          const socket = connectSocket(port, host);
          // After node:http2 has heard of it, and before it says so.
          process.nextTick(() => socket.once('connect', () => void client.close()));
          return socket;
        },
      });
      await failure(client.range({ key: 'x' }), 'Unavailable');
    });

    it('a stalled etcd is given up after the timeout, and its connection replaced', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], requestTimeoutMs: 200, keepaliveTimeoutMs: 100 });
      await client.range({ key: 'x' }, { timeoutMs: 30_000 });
      proxy.setFault({ kind: 'stall' });
      const error = await failure(client.range({ key: 'x' }), 'DeadlineExceeded');
      // A read that failed otherwise before is repeated in what is left of the time.
      expect(error.message).to.match(/did not answer within \d+ ms/);
      await delay(150);
      proxy.setFault({ kind: 'none' });
      await client.range({ key: 'x' }, { timeoutMs: 30_000 });
      expect(proxy.accepted).to.equal(2);
    });

    it('a watch on a connection that died silently ends by keepalive', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], keepaliveIntervalMs: 50, keepaliveTimeoutMs: 50 });
      const { sink } = await watching(client, { key: 'x', startRevision: 0 });
      await delay(150);
      proxy.setFault({ kind: 'stall' });
      expect(isEtcdError(await sink.ended.promise, 'Unavailable')).to.equal(true);
    });

    it('a watch ends when its connection takes no more calls', async () => {
      const ending = createHttp2Server().on('stream', (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
        // Waits for the calls that are open.
        stream.session?.close();
      });
      await new Promise<void>((resolve) => ending.listen(0, '127.0.0.1', resolve));
      closing.push(async () => {
        await new Promise((resolve) => ending.close(resolve));
      });
      const client = connect({ endpoints: [`http://127.0.0.1:${(ending.address() as AddressInfo).port}`] });
      const sink = new Sink();
      client.watch({ key: 'x', startRevision: 0 }, sink);
      const error = await sink.ended.promise;
      expect(error?.message).to.match(/takes no more calls$/);
      expect(isEtcdError(error, 'Unavailable')).to.equal(true);
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
      // The watch has nothing to send, and learns it from the call's connection.
      const { accepted } = proxy;
      proxy.setFault({ kind: 'stall', only: (connection) => connection <= accepted });
      const startedMs = performance.now();
      // A read is asked again over the new connection.
      await client.range({ key: 'x' }, { timeoutMs: 20_000 });
      expect(isEtcdError(await sink.ended.promise, 'Unavailable')).to.equal(true);
      expect(performance.now() - startedMs).to.be.below(5_000);
    });

    it('a connection over which nothing was asked is left alone', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], silenceMs: 50, keepaliveTimeoutMs: 50 });
      const { sink } = await watching(client, { key: 'x', startRevision: 0 });
      let ended = false;
      void sink.ended.promise.then(() => {
        ended = true;
      });
      const { accepted } = proxy;
      await delay(500);
      expect(ended).to.equal(false);
      expect(proxy.accepted).to.equal(accepted);
    });

    it('a slow etcd is waited for', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint] });
      await client.range({ key: 'x' });
      proxy.setFault({ kind: 'slow', delayMs: 50 });
      const startedMs = performance.now();
      await client.range({ key: 'x' });
      expect(performance.now() - startedMs).to.be.above(90);
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
      expect(error.notSent).to.equal(false);
      expect((await client.range({ key: 'fate' })).kvs[0]?.modRevision).to.equal(revision);
    });

    it('writes wait for an etcd that is just coming back', async () => {
      const proxy = await proxied();
      const client = connect({ endpoints: [proxy.endpoint], unreachableRetryMs: 2_000 });
      proxy.setFault({ kind: 'refuse' });
      const write = put(client, 'back');
      await delay(100);
      proxy.setFault({ kind: 'none' });
      await write;
      expect(proxy.accepted).to.be.above(1);
    });

    it('another endpoint takes over', async () => {
      const first = await proxied();
      const second = await proxied();
      const client = connect({ endpoints: [first.endpoint, second.endpoint] });
      await put(client, 'over');
      expect([first.accepted, second.accepted]).to.deep.equal([1, 0]);
      const { sink } = await watching(client, { key: 'over', startRevision: 0 });
      await first.close();
      expect(isEtcdError(await sink.ended.promise, 'Unavailable')).to.equal(true);
      await put(client, 'over');
      expect(second.accepted).to.equal(1);
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
      expect(await sink.seen(1)).to.deep.equal(['+tls']);
      watch.cancel();
    });

    it('refuses a server that it cannot verify', async () => {
      const error = await failure(connect({ endpoints: [secure.endpoint] }).range({ key: 'x' }), 'Unavailable');
      expect(error.message).to.match(
        /^etcd at https:\/\/127\.0\.0\.1:\d+ cannot be reached: (unable to verify|self-signed certificate)/,
      );
    });

    it('is refused without a client certificate', async () => {
      const error = await failure(
        connect({ endpoints: [secure.endpoint], tls: { ca: tlsFixture.ca } }).range({ key: 'x' }),
        'Unavailable',
      );
      expect(error.message).to.include('certificate required');
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
