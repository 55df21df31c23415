import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { createEtcdClient, isEtcdError } from '@kubechain/shared-storage/etcd';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import { startRealEtcd } from '@kubechain/shared-storage/testing';
import type { EtcdProcess } from '@kubechain/shared-storage/testing';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { goTool } from '../harness/go-tools.ts';
import { pidOf } from '../harness/process-of.ts';

const key = 'compact_rev_key';

/** Three processes want to compact one etcd, which counts what it is asked. */
describe('compaction by many processes', () => {
  let etcd: EtcdProcess;
  let client: EtcdClient;
  let chain: Chain;
  before(async function start() {
    this.timeout(900_000);
    etcd = await startRealEtcd(await goTool('etcd'));
    client = createEtcdClient({ endpoints: [etcd.endpoint] });
    chain = await startChain({ flags: ['--etcd-servers', etcd.endpoint, '--etcd-compaction-interval=1s'] });
  });
  after(async () => {
    await chain?.stop();
    await client?.close();
    await etcd?.stop();
  });

  const roundsWon = async (): Promise<number> => (await client.range({ key })).kvs[0]?.version ?? 0;
  /**
   * Rounds won (each writes the key once), and compactions that etcd was asked for, at some moment between two times.
   */
  const state = async (): Promise<{
    readonly fromMs: number;
    readonly toMs: number;
    readonly rounds: number;
    readonly compactions: number;
  }> => {
    for (;;) {
      const fromMs = performance.now();
      const rounds = await roundsWon();
      const metrics = await (await fetch(`${etcd.endpoint}/metrics`)).text();
      const compactions = metrics
        .split('\n')
        .filter((line) => /^grpc_server_handled_total\{.*grpc_method="Compact"/.test(line))
        .map((line) => Number(line.slice(line.lastIndexOf(' '))));
      if ((await roundsWon()) === rounds)
        return {
          fromMs,
          toMs: performance.now(),
          rounds,
          compactions: compactions.reduce((sum, count) => sum + count, 0),
        };
    }
  };
  const roundsReach = async (rounds: number): Promise<Awaited<ReturnType<typeof state>>> => {
    for (const deadline = Date.now() + 60_000; ;) {
      const now = await state();
      if (now.rounds >= rounds) return now;
      expect(Date.now(), `${now.rounds} of ${rounds} rounds`).to.be.below(deadline);
      await delay(20);
    }
  };

  it('has one winner an interval, which compacts once', async () => {
    const first = await roundsReach(2);
    const { revision } = await client.range({ key });
    const last = await roundsReach(first.rounds + 5);
    const intervals = (last.toMs - first.fromMs) / 1000;
    expect(last.rounds - first.rounds).to.be.at.most(Math.floor(intervals) + 1);
    expect(last.compactions - first.compactions, 'compactions').to.be.within(
      last.rounds - first.rounds - 1,
      last.rounds - first.rounds + 1,
    );
    const old = await client.range({ key, revision: revision - 1 }).then(
      () => 'kept',
      (error: unknown) => (isEtcdError(error, 'Compacted') ? 'compacted' : String(error)),
    );
    expect(old).to.equal('compacted');
  });

  it('goes on whichever process is killed', async () => {
    for (const name of ['kube-apiserver', 'apiextensions', 'aggregator'] as const) {
      const { rounds } = await state();
      process.kill(pidOf(chain.dataDir, name), 'SIGKILL');
      await roundsReach(rounds + 2);
    }
  });
});
