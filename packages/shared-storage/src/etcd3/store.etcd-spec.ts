import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from './store.ts';
import type { EtcdProcess } from '../testing/etcd-process.ts';
import { startRealEtcd } from '../testing/etcd-process.ts';
import { storageContract } from '../testing/storage-contract.ts';

describe('Etcd3Store on etcd', () => {
  let etcd: EtcdProcess;
  let client: EtcdClient;
  before(async function () {
    this.timeout(120_000);
    etcd = await startRealEtcd();
    client = createEtcdClient({ endpoints: [etcd.endpoint] });
  });
  after(async () => {
    await client.close();
    await etcd.stop();
  });

  storageContract('etcd3 store on etcd', (setup) => {
    const storage = new Etcd3Store({ ...setup, client, groupResource: { group: '', resource: 'pods' } });
    return Promise.resolve({ storage, client, close: () => storage.close() });
  });
});
