import { expect } from 'chai';
import { once } from 'node:events';
import { createServer as createHTTPServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { closeContext, openContext, put } from '../testing/open-context.ts';
import { RawClient } from '../testing/raw-client.ts';
import { SpawnedStore } from '../testing/spawned-store.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { httpEndpoints } from './http-endpoints.ts';
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

  it('says in health that the disk is full, until a write finds room again', async () => {
    using directory = new TemporaryDirectory();
    const context = openContext({ dataFile: directory.file('data.db') });
    const answer = httpEndpoints(context);
    const server = createHTTPServer((request, response) => {
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const pages = Number(context.database.prepare('PRAGMA page_count').get()?.['page_count']);
    context.database.exec(`PRAGMA max_page_count = ${pages + 20}`);
    expect(() => put(context, 'too large', Buffer.alloc(400_000))).to.throw('database space exceeded');
    const full = await fetch(`${url}/health`);
    expect([full.status, await full.json()]).to.deep.equal([503, { health: 'false', reason: 'ALARM NOSPACE' }]);
    // It lives, and reads are answered: a restart would mend nothing.
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
    put(context, 'small', 'x');
    context.commit.flush();
    expect(await (await fetch(`${url}/health`)).json()).to.deep.equal({ health: 'true', reason: '' });
    server.close();
    closeContext(context);
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
