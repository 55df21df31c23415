import { expect } from 'chai';
import { Etcd3, EtcdLockFailedError } from 'etcd3';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import type { EmbeddedEtcd } from './start.ts';
import { startEmbeddedEtcd } from './start.ts';

describe('npm etcd3', () => {
  let directory: TemporaryDirectory;
  let server: EmbeddedEtcd;
  let client: Etcd3;

  beforeEach(async () => {
    directory = new TemporaryDirectory();
    server = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), unsafeNoFsync: true });
    client = new Etcd3({ hosts: server.endpoint });
  });

  afterEach(async () => {
    client.close();
    await server.close();
    directory[Symbol.dispose]();
  });

  it('puts, gets, lists, counts and deletes', async () => {
    for (let index = 0; index < 20; index++) await client.put(`k/${String(index).padStart(2, '0')}`).value(`v${index}`);
    expect(await client.get('k/07').string()).to.equal('v7');
    expect(await client.getAll().prefix('k/').limit(3).keys()).to.deep.equal(['k/00', 'k/01', 'k/02']);
    expect(await client.getAll().prefix('k/').sort('Key', 'Descend').limit(1).keys()).to.deep.equal(['k/19']);
    expect(await client.getAll().prefix('k/').count()).to.equal(20);
    expect(Number((await client.delete().prefix('k/')).deleted)).to.equal(20);
    expect(await client.get('k/07')).to.equal(null);
  });

  it('decides races with transactions', async () => {
    const claims = Array.from({ length: 50 }, (_, index) =>
      client
        .if('owner', 'Create', '==', 0)
        .then(client.put('owner').value(`${index}`))
        .else(client.get('owner'))
        .commit(),
    );
    const won = (await Promise.all(claims)).filter((reply) => reply.succeeded);
    expect(won).to.have.length(1);
  });

  it('follows a thousand changes with its watcher', async () => {
    const watcher = await client.watch().prefix('k').create();
    const values: number[] = [];
    const complete = new Promise<void>((resolve) => {
      watcher.on('put', (kv) => {
        values.push(Number(kv.value.toString()));
        if (values.length === 1000) resolve();
      });
    });
    for (let start = 0; start < 1000; start += 50) {
      for (let index = start; index < start + 50; index++) await client.put('k').value(index);
    }
    await complete;
    expect(values).to.deep.equal(Array.from({ length: 1000 }, (_, index) => index));
    await watcher.cancel();
  });

  it('holds a lock and a lease', async () => {
    const lease = client.lease(60);
    await lease.put('leased').value('x');
    await lease.keepaliveOnce();
    expect(await client.get('leased').string()).to.equal('x');
    const lock = client.lock('mutex');
    await lock.acquire();
    const refused = await client
      .lock('mutex')
      .acquire()
      .then(
        () => 'acquired',
        (error: unknown) => error,
      );
    expect(refused).to.be.instanceOf(EtcdLockFailedError);
    await lock.release();
    await lease.revoke();
    expect(await client.get('leased')).to.equal(null);
  });
});
