import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import type { ContractSetup, ContractStorage } from './contract/contract-storage.ts';
import { Cacher } from '../cacher/cacher.ts';

/** A cacher over an etcd3 store at `endpoint`, for one test of the storage contract. */
export async function contractCacher(
  endpoint: string,
  { codec, keyRoot, transformer }: ContractSetup,
): Promise<ContractStorage> {
  const client = createEtcdClient({ endpoints: [endpoint] });
  const groupResource = { group: '', resource: 'pods' };
  const store = new Etcd3Store({ client, codec, groupResource, keyRoot, transformer });
  const indexers = {
    'spec.nodeName': ({ fields }: { readonly fields: Readonly<Record<string, string>> }) => fields['spec.nodeName'],
  };
  const storage = new Cacher({
    storage: store,
    config: { groupResource, resourcePrefix: '/pods', codec, namespaced: true, indexers },
    keyRoot,
  });
  return {
    storage,
    client,
    close: async () => {
      await storage.close();
      await client.close();
    },
  };
}
