import { readFileSync } from 'node:fs';
import { readRecording } from '../control/journal-export.ts';
import { replayTraffic, type ReplayDifference } from '../control/replay-traffic.ts';
import { LaunchError } from '../launch-error.ts';
import { adminConfig } from '../testing/admin-config.ts';
import { APIClient } from '../testing/api-client.ts';
import type { Output } from './output.ts';
import { lookAtChain } from './running-chain.ts';

/** Sends a recording to the chain that runs. @returns 1 where it answers otherwise @throws LaunchError */
export async function replay(dataDir: string, file: string, output: Output): Promise<number> {
  const { dir, serverName, url } = await lookAtChain(dataDir);
  if (url === undefined) throw new LaunchError('Usage', 'no chain runs here: kubechain up starts one');
  const entries = readRecording(readFileSync(file, 'utf8'));
  const client = new APIClient(
    adminConfig({ server: url, ...(serverName === undefined ? {} : { serverName }) }, dir.pki),
  );
  try {
    const result = await replayTraffic(client, entries);
    const { differences, sent, skipped } = result;
    output.result(result, () => [
      ...differences.flatMap(linesOf),
      ...skipped.map(({ entry, why }) => `not sent: ${entry.verb} ${entry.uri} ${why}`),
      `${sent} requests sent, ${differences.length} answered otherwise, ${skipped.length} not sent`,
    ]);
    return differences.length === 0 ? 0 : 1;
  } finally {
    client.close();
  }
}

function linesOf({ code, differences, entry }: ReplayDifference): string[] {
  const asked = `${entry.verb} ${entry.uri}`;
  if (code !== entry.code) return [`${asked}: ${entry.code} became ${code}`];
  return differences.map(
    ({ path, recorded, replayed }) =>
      `${asked}: ${path} was ${JSON.stringify(recorded)}, is ${JSON.stringify(replayed)}`,
  );
}
