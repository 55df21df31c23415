import { declareFaultRounds, startRealEtcd } from '@kubechain/shared-storage/testing';
import type { EtcdProcess } from '@kubechain/shared-storage/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goTool } from '../harness/go-tools.ts';
import { chainFaultRound } from './chain-fault-round.ts';

const stores = {
  'etcd as distributed': () => startRealEtcd(),
  'etcd 3.6': async () => startRealEtcd(await goTool('etcd')),
} as const;

for (const [name, start] of Object.entries(stores)) {
  describe(`a chain whose processes are killed, over ${name}`, () => {
    let etcd: EtcdProcess;
    let dataDir: string;
    before(async function open() {
      this.timeout(900_000);
      dataDir = mkdtempSync(join(tmpdir(), 'kubechain-faults-'));
      etcd = await start();
    });
    after(async () => {
      await etcd?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });

    declareFaultRounds('loses, repeats and reorders nothing, and never goes back in time', {
      timeoutMs: 300_000,
      oneIn: 10,
      round: (seed) =>
        chainFaultRound({
          dataDir,
          seed,
          flags: ['--etcd-servers', etcd.endpoint],
          store: {
            endpoint: etcd.endpoint,
            kill: async (pause) => {
              await etcd.kill();
              await pause();
              await etcd.restart();
            },
          },
        }),
    });
  });
}
