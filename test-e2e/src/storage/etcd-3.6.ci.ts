import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { Etcd3Store } from '@kubechain/shared-storage/factory';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import { cacheCostContract, contractCacher, startRealEtcd, storageContract } from '@kubechain/shared-storage/testing';
import type { EtcdProcess } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { goTool } from '../harness/go-tools.ts';

/** What storage promises, on the etcd that a Kubernetes of the reference's version runs on. */
describe('storage on etcd 3.6', () => {
  let etcd: EtcdProcess;
  let client: EtcdClient;
  before(async function start() {
    this.timeout(900_000);
    etcd = await startRealEtcd(await goTool('etcd'));
    client = createEtcdClient({ endpoints: [etcd.endpoint] });
  });
  after(async () => {
    await client?.close();
    await etcd?.stop();
  });

  it('is etcd 3.6', async () => {
    expect((await client.status()).version).to.match(/^3\.6\./);
  });

  storageContract('etcd3 store on etcd 3.6', (setup) => {
    const storage = new Etcd3Store({ ...setup, client, groupResource: { group: '', resource: 'pods' } });
    return Promise.resolve({ storage, client, close: () => storage.close() });
  });
  storageContract('Cacher over etcd 3.6', (setup) => contractCacher(etcd.endpoint, setup), { cached: true });
  cacheCostContract('etcd 3.6', () => etcd.endpoint);
});
