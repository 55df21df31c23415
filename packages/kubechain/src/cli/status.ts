import { join } from 'node:path';
import { askReadyz } from '../chain/ask-readyz.ts';
import { isDiskFull } from '../data-dir/disk-space.ts';
import type { Output } from './output.ts';
import { lookAtChain } from './running-chain.ts';

/** Tells what runs; exit code 0 when it answers that it is ready, else 3, as `systemctl status`. */
export async function status(dataDir: string, output: Output): Promise<number> {
  const { dir, pid, processes: all, serverName, url } = await lookAtChain(dataDir);
  const processes = all.filter((one) => one.pid !== undefined);
  const readyz =
    pid === undefined || url === undefined
      ? undefined
      : await askReadyz({ server: url, ...(serverName === undefined ? {} : { serverName }) }, join(dir.pki, 'ca.crt'));
  const ready = readyz?.kind === 'ready';
  const state = pid === undefined ? 'stopped' : ready ? 'ready' : 'not ready';
  const diskFull = pid !== undefined && isDiskFull(dir.root);
  const facts = { state, dataDir: dir.root, pid, url, kubeconfig: dir.kubeconfig, processes, diskFull };
  output.result(facts, () => [
    `${output.colour(ready ? 'green' : 'red', state)}  ${dir.root}`,
    ...(readyz?.kind === 'unready' ? [output.colour('red', `  ${readyz.failing}`)] : []),
    ...(diskFull ? [output.colour('red', '  the disk is full: nothing is stored until there is room')] : []),
    ...(pid === undefined
      ? []
      : [`  ${url ?? ''}`, ...processes.map((one) => `  ${one.name.padEnd(15)} pid ${one.pid}`)]),
  ]);
  return ready ? 0 : 3;
}
