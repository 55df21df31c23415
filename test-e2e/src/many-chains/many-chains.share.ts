import { declareFaultRounds } from '@kubechain/shared-storage/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdCluster } from './etcd-cluster.ts';
import { manyChainsRound, troubles } from './many-chains-round.ts';

/** Further rounds, three chains of processes and kube-apiserver beside them: `many-chains/main.ts`, by name. */
describe('two chains behind a load balancer, over three etcd', () => {
  let cluster: EtcdCluster;
  let directory: string;
  before(async function start() {
    this.timeout(120_000);
    directory = mkdtempSync(join(tmpdir(), 'kubechain-many-'));
    cluster = await EtcdCluster.start();
  });
  after(async () => {
    await cluster?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  declareFaultRounds('lose, repeat and reorder nothing, and never go back in time', {
    timeoutMs: 600_000,
    round: (seed) =>
      manyChainsRound({
        cluster,
        directory,
        chains: 2,
        flags: ['--topology=all-in-one'],
        seed,
        count: troubles.length,
      }),
  });
});
