import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../launch-error.ts';
import type { Output } from './output.ts';
import { isAlive, lookAtChain } from './running-chain.ts';

const STOP_TIMEOUT_MS = 60_000;
const LOOK_MS = 20;

/** Ends the chain of a data directory, and waits until it has ended. Nothing to end is no error. */
export async function down(dataDir: string, output: Output): Promise<number> {
  const pid = await stopChain(dataDir);
  output.result({ stopped: pid !== undefined, pid }, () => [
    pid === undefined ? 'nothing runs' : `stopped (pid ${pid})`,
  ]);
  return 0;
}

/** As `down`, and deletes objects and logs; with `all` certificates and kubeconfig too, the whole directory. */
export async function reset(
  dataDir: string,
  { all, output }: { readonly all: boolean; readonly output: Output },
): Promise<number> {
  await stopChain(dataDir);
  const { dir } = await lookAtChain(dataDir);
  const own = [
    dir.storeFile,
    `${dir.storeFile}-wal`,
    `${dir.storeFile}-shm`,
    dir.logs,
    dir.run,
    join(dir.root, 'up.log'),
  ];
  const deleted = all ? [...own, dir.pki, dir.kubeconfig] : own;
  for (const path of deleted) rmSync(path, { recursive: true, force: true });
  output.result({ dataDir: dir.root, deleted }, () => [
    `deleted ${all ? 'everything' : 'objects and logs'} in ${dir.root}`,
  ]);
  return 0;
}

async function stopChain(dataDir: string): Promise<number | undefined> {
  const { pid } = await lookAtChain(dataDir);
  if (pid === undefined) return undefined;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (performance.now() > deadline)
      throw new LaunchError('Timeout', `pid ${pid} has not ended after ${STOP_TIMEOUT_MS / 1000} s`);
    await delay(LOOK_MS);
  }
  return pid;
}
