import { expect } from 'chai';
import { RawClient } from '../testing/raw-client.ts';
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
    expect(metrics).to.contain('\netcd_debugging_mvcc_keys_total 1\n').and.to.contain('\netcd_debugging_mvcc_current_revision 2\n');
    expect((await fetch(`${server.endpoint}/elsewhere`)).status).to.equal(404);
    client.close();
    await server.close();
  });

  it('listens on a unix socket', async () => {
    using directory = new TemporaryDirectory();
    const server = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), socketPath: directory.file('etcd.sock') });
    expect(server.endpoint).to.equal(`unix:${directory.file('etcd.sock')}`);
    const client = new RawClient(server.endpoint);
    const { header } = await client.call('KV.Range', { key: Buffer.from('a') });
    expect(header).to.include({ revision: 1 });
    client.close();
    await server.close();
  });
});
