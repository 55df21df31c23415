import { declareFaultRounds, startRealEtcd, storageFaultRound } from '../testing/index.ts';
import type { EtcdProcess } from '../testing/index.ts';

describe('storage over a failing etcd', () => {
  let etcd: EtcdProcess;
  before(async function start() {
    this.timeout(120_000);
    etcd = await startRealEtcd();
  });
  after(() => etcd.stop());

  declareFaultRounds('loses, repeats and reorders nothing, and never goes back in time', {
    timeoutMs: 300_000,
    round: (seed) => storageFaultRound(etcd, seed),
  });
});
