import { declareFaultRounds } from '@kubechain/shared-storage/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chainFaultRound, pidOnceRunning } from './chain-fault-round.ts';

describe('a chain whose processes are killed', () => {
  let dataDir: string;
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'kubechain-faults-'));
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  declareFaultRounds('loses, repeats and reorders nothing, and never goes back in time', {
    timeoutMs: 300_000,
    round: (seed) =>
      chainFaultRound({
        dataDir,
        seed,
        store: {
          endpoint: `unix:${join(dataDir, 'run/etcd.sock')}`,
          kill: async () => {
            process.kill(await pidOnceRunning(dataDir, 'etcd'), 'SIGKILL');
          },
        },
      }),
  });
});
