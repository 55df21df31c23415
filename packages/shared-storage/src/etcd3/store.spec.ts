import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { storageContract } from '../testing/storage-contract.ts';
import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from './store.ts';

describe('Etcd3Store', () => {
  let folder: string;
  let etcd: EmbeddedEtcd;
  let client: EtcdClient;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-store-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    client = createEtcdClient({ endpoints: [etcd.endpoint] });
  });
  after(async () => {
    await client.close();
    await etcd.close();
    await rm(folder, { recursive: true });
  });

  storageContract('etcd3 store on the embedded store', (setup) => {
    const storage = new Etcd3Store({ ...setup, client, groupResource: { group: '', resource: 'pods' } });
    return Promise.resolve({ storage, client, close: () => storage.close() });
  });
});
