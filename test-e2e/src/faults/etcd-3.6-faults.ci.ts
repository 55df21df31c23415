import { declareFaultRounds, startRealEtcd, storageFaultRound } from '@kubechain/shared-storage/testing';
import type { EtcdProcess } from '@kubechain/shared-storage/testing';
import { goTool } from '../harness/go-tools.ts';

/** On this etcd the caches answer consistent reads themselves. */
describe('storage over a failing etcd 3.6', () => {
  let etcd: EtcdProcess;
  before(async function start() {
    this.timeout(900_000);
    etcd = await startRealEtcd(await goTool('etcd'));
  });
  after(() => etcd?.stop());

  declareFaultRounds('loses, repeats and reorders nothing, and never goes back in time', {
    timeoutMs: 300_000,
    round: (seed) => storageFaultRound(etcd, seed),
  });
});
