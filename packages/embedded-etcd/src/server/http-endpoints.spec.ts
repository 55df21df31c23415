import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { RawClient } from '../testing/raw-client.ts';
import { SpawnedStore } from '../testing/spawned-store.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { startEmbeddedEtcd } from './start.ts';

describe('plain HTTP on the gRPC port', () => {
  it('answers health, version and metrics beside gRPC', async () => {
    using directory = new TemporaryDirectory();
    const server = await startEmbeddedEtcd({ dataFile: directory.file('data.db') });
    const client = new RawClient(server.endpoint);
    await client.call('KV.Put', { key: Buffer.from('a'), value: Buffer.from('x') });
    expect(await (await fetch(`${server.endpoint}/health`)).json()).to.deep.equal({ health: 'true', reason: '' });
    expect(await (await fetch(`${server.endpoint}/version`)).json()).to.have.keys('etcdserver', 'etcdcluster');
    const metrics = await (await fetch(`${server.endpoint}/metrics`)).text();
    expect(metrics)
      .to.contain('\netcd_debugging_mvcc_keys_total 1\n')
      .and.to.contain('\netcd_debugging_mvcc_current_revision 2\n');
    expect((await fetch(`${server.endpoint}/elsewhere`)).status).to.equal(404);
    client.close();
    await server.close();
  });

  it('answers them without TLS at an address for probes', async () => {
    using directory = new TemporaryDirectory();
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await using store = new SpawnedStore([
      '--data-file',
      directory.file('data.db'),
      '--listen',
      `unix:${directory.file('etcd.sock')}`,
      '--listen-metrics-urls',
      `http://127.0.0.1:${port}`,
    ]);
    await store.endpoint();
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).to.deep.equal({ health: 'true', reason: '' });
    await using second = new SpawnedStore([
      '--data-file',
      directory.file('other.db'),
      '--listen',
      '127.0.0.1:0',
      '--listen-metrics-urls',
      `http://127.0.0.1:${port}`,
    ]);
    expect(await second.ended).to.deep.include({
      code: 1,
      stderr:
        `embedded-etcd: --listen-metrics-urls: cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address ` +
        `already in use 127.0.0.1:${port}\n`,
    });
    expect((await new SpawnedStore(['--listen-metrics-urls', 'https://127.0.0.1:1']).ended).stderr).to.equal(
      'embedded-etcd: --listen-metrics-urls "https://127.0.0.1:1" is not http://HOST:PORT\n',
    );
  });

  it('listens on a unix socket', async () => {
    using directory = new TemporaryDirectory();
    const server = await startEmbeddedEtcd({
      dataFile: directory.file('data.db'),
      socketPath: directory.file('etcd.sock'),
    });
    expect(server.endpoint).to.equal(`unix:${directory.file('etcd.sock')}`);
    const client = new RawClient(server.endpoint);
    const { header } = await client.call('KV.Range', { key: Buffer.from('a') });
    expect(header).to.include({ revision: 1 });
    client.close();
    await server.close();
  });
});
