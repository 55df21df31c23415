import type { EtcdClient } from '../etcd3/client/etcd-client.ts';
import { createEtcdClient } from '../etcd3/client/etcd3-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import type { RealEtcd } from '../testing/real-etcd.ts';
import { startRealEtcd } from '../testing/real-etcd.ts';
import { storageContract } from '../testing/storage-contract.ts';
import { Cacher } from './cacher.ts';

describe('Cacher on etcd', () => {
  let etcd: RealEtcd;
  let client: EtcdClient;
  before(async function () {
    this.timeout(30_000);
    etcd = await startRealEtcd();
    client = createEtcdClient({ endpoints: [etcd.endpoint] });
  });
  after(async () => {
    await client.close();
    await etcd.stop();
  });

  storageContract('Cacher on etcd', setup => {
    const groupResource = { group: '', resource: 'pods' };
    const store = new Etcd3Store({ ...setup, client, groupResource });
    const storage = new Cacher({ storage: store, config: { groupResource, resourcePrefix: '/pods', codec: setup.codec, namespaced: true }, keyRoot: setup.keyRoot });
    return Promise.resolve({ storage, client, close: () => storage.close() });
  }, { cached: true });
});
