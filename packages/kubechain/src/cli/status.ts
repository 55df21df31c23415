import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '../data-dir/disk-space.ts';
import type { Output } from './output.ts';
import { lookAtChain } from './running-chain.ts';

const ANSWER_TIMEOUT_MS = 5_000;

/** Tells what runs; exit code 0 when it answers that it is ready, else 3, as `systemctl status`. */
export async function status(dataDir: string, output: Output): Promise<number> {
  const { dir, pid, processes: all, serverName, url } = await lookAtChain(dataDir);
  const processes = all.filter((one) => one.pid !== undefined);
  const ready =
    pid !== undefined && url !== undefined && (await isReady({ url, serverName, caFile: join(dir.pki, 'ca.crt') }));
  const state = pid === undefined ? 'stopped' : ready ? 'ready' : 'not ready';
  const diskFull = pid !== undefined && isDiskFull(dir.root);
  const facts = { state, dataDir: dir.root, pid, url, kubeconfig: dir.kubeconfig, processes, diskFull };
  output.result(facts, () => [
    `${output.colour(ready ? 'green' : 'red', state)}  ${dir.root}`,
    ...(diskFull ? [output.colour('red', '  the disk is full: nothing is stored until there is room')] : []),
    ...(pid === undefined
      ? []
      : [`  ${url ?? ''}`, ...processes.map((one) => `  ${one.name.padEnd(15)} pid ${one.pid}`)]),
  ]);
  return ready ? 0 : 3;
}

function isReady({
  caFile,
  serverName,
  url,
}: {
  readonly url: string;
  readonly serverName: string | undefined;
  readonly caFile: string;
}): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(
      new URL('/readyz', url),
      {
        ca: readFileSync(caFile),
        timeout: ANSWER_TIMEOUT_MS,
        ...(serverName === undefined ? {} : { servername: serverName }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    call.once('timeout', () => call.destroy());
    call.once('error', () => {
      resolve(false);
    });
    call.end();
  });
}
