import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcdClient } from '../etcd3/client/etcd3-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import { startRealEtcd, storageContract } from '../testing/index.ts';
import type { ContractSetup, ContractStorage } from '../testing/index.ts';
import { Cacher } from './cacher.ts';

/** A cacher over an etcd3 store at `endpoint`, for one test. */
async function newCacher(endpoint: string, { codec, keyRoot, transformer }: ContractSetup): Promise<ContractStorage> {
  const client = createEtcdClient({ endpoints: [endpoint] });
  const groupResource = { group: '', resource: 'pods' };
  const store = new Etcd3Store({ client, codec, groupResource, keyRoot, transformer });
  const indexers = { 'spec.nodeName': ({ fields }: { readonly fields: Readonly<Record<string, string>> }) => fields['spec.nodeName'] };
  const storage = new Cacher({ storage: store, config: { groupResource, resourcePrefix: '/pods', codec, namespaced: true, indexers }, keyRoot });
  return {
    storage, client,
    close: async () => {
      await storage.close();
      await client.close();
    },
  };
}

describe('Cacher on the embedded store', () => {
  let endpoint = '';
  let stop: () => Promise<void>;
  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kubechain-cacher-'));
    const store = await startEmbeddedEtcd({ dataFile: join(directory, 'store.db'), unsafeNoFsync: true });
    ({ endpoint } = store);
    stop = async () => {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    };
  });
  after(() => stop());
  storageContract('Cacher over the embedded store', (setup) => newCacher(endpoint, setup), { cached: true });
});

describe('Cacher on etcd', () => {
  let endpoint = '';
  let stop: () => Promise<void>;
  before(async function start() {
    this.timeout(30_000);
    const etcd = await startRealEtcd();
    ({ endpoint } = etcd);
    stop = () => etcd.stop();
  });
  after(() => stop());
  storageContract('Cacher over etcd', (setup) => newCacher(endpoint, setup), { cached: true });
});
