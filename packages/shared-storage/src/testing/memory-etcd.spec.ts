import { Cacher } from '../cacher/cacher.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import type { ContractSetup } from './contract/contract-storage.ts';
import { MemoryEtcd } from './memory-etcd.ts';
import { storageContract } from './storage-contract.ts';

const groupResource = { group: '', resource: 'pods' };

function storeOver(client: MemoryEtcd, setup: ContractSetup): Etcd3Store {
  return new Etcd3Store({ ...setup, client, groupResource });
}

describe('MemoryEtcd', () => {
  storageContract('etcd3 store in memory', (setup) => {
    const client = new MemoryEtcd();
    const storage = storeOver(client, setup);
    return Promise.resolve({ storage, client, close: () => storage.close().then(() => client.close()) });
  });

  storageContract(
    'Cacher in memory',
    (setup) => {
      const client = new MemoryEtcd();
      const { codec, keyRoot } = setup;
      const storage = new Cacher({
        storage: storeOver(client, setup),
        config: {
          groupResource,
          resourcePrefix: '/pods',
          codec,
          namespaced: true,
          indexers: { 'spec.nodeName': ({ fields }) => fields['spec.nodeName'] },
        },
        keyRoot,
      });
      return Promise.resolve({ storage, client, close: () => storage.close().then(() => client.close()) });
    },
    { cached: true },
  );
});
