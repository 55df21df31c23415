import { startRealEtcd, storageContract } from '../testing/index.ts';
import type { RealEtcd } from '../testing/index.ts';
import { contractCacher } from './testing/contract-cacher.ts';

describe('Cacher on etcd', () => {
  let etcd: RealEtcd;
  before(async function start() {
    this.timeout(30_000);
    etcd = await startRealEtcd();
  });
  after(() => etcd.stop());
  storageContract('Cacher over etcd', (setup) => contractCacher(etcd.endpoint, setup), { cached: true });
});
