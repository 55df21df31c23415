import { contractCacher, startRealEtcd, storageContract } from '../testing/index.ts';
import type { EtcdProcess } from '../testing/index.ts';

describe('Cacher on etcd', () => {
  let etcd: EtcdProcess;
  before(async function start() {
    this.timeout(120_000);
    etcd = await startRealEtcd();
  });
  after(() => etcd.stop());
  storageContract('Cacher over etcd', (setup) => contractCacher(etcd.endpoint, setup), { cached: true });
});
