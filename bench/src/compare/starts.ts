import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../requests/client.ts';
import { callAll } from '../requests/measure.ts';
import { configMap, configMaps, untilServed } from '../requests/objects.ts';
import type { Contender } from './contender.ts';
import type { Figures } from './figure.ts';
import type { Launcher } from './launchers.ts';

/** How many requests are cold, and how many at a time. */
const cold = { requests: 1000, connections: 8 };

/** How often one object is read right after a start, and by how many connections: a second or two. */
const reads = { requests: 10_000, connections: 32 };

/**
 * Starts each contender over an empty directory, asks it for the first 1,000 requests of its life, starts it again
 * over what is there then, and reads one object until the first seconds are over; in turns, as often as `rounds` says.
 */
export async function measureStarts(
  figures: Figures,
  launchers: readonly Launcher[],
  { directory, rounds }: { readonly directory: string; readonly rounds: number },
): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const launcher of round % 2 === 0 ? launchers : launchers.toReversed()) {
      const place = join(directory, `start-${round}-${launcher.name}`);
      mkdirSync(place);
      const first = await launcher.start(place);
      try {
        figures.add('start to ready, ms, empty data directory', launcher.name, first.readyMs);
        const { cpuMs, wallMs } = await firstRequests(first);
        figures.add('first 1,000 requests after it, ms', launcher.name, wallMs);
        figures.add('processor time of them, ms', launcher.name, cpuMs);
      } finally {
        await first.stop();
      }
      const second = await launcher.start(place);
      try {
        figures.add('start to ready, ms, directory in use', launcher.name, second.readyMs);
        figures.add('first 10,000 GETs of a config map after it, ms', launcher.name, await firstReads(second));
      } finally {
        await second.stop();
      }
      rmSync(place, { recursive: true, force: true });
    }
}

/** What a test does: creates an object, reads it, lists its kind, changes it. */
async function firstRequests(contender: Contender): Promise<{ readonly wallMs: number; readonly cpuMs: number }> {
  const client = new Client(contender.dataDir, contender.port, cold.connections);
  try {
    await untilServed(() => client.call('GET', '/api/v1/namespaces/default'));
    const before = cpuMsOf(contender);
    const startedMs = performance.now();
    await callAll(cold.requests / 4, cold.connections, async (i) => {
      const path = `${configMaps}/cold-${i}`;
      await client.call('POST', configMaps, configMap(`cold-${i}`));
      await client.call('GET', path);
      await client.call('GET', `${configMaps}?limit=10`);
      await client.call('PATCH', path, '{"data":{"more":"x"}}', { 'Content-Type': 'application/merge-patch+json' });
    });
    return { wallMs: performance.now() - startedMs, cpuMs: cpuMsOf(contender) - before };
  } finally {
    client.close();
  }
}

/** What an informer's resync or a test's polling does: the same object, again and again. */
async function firstReads({ dataDir, port }: Contender): Promise<number> {
  const client = new Client(dataDir, port, reads.connections);
  try {
    await untilServed(() => client.call('GET', '/api/v1/namespaces/default'));
    const startedMs = performance.now();
    await callAll(reads.requests, reads.connections, () => client.call('GET', `${configMaps}/cold-0`));
    return performance.now() - startedMs;
  } finally {
    client.close();
  }
}

const cpuMsOf = (contender: Contender): number =>
  [...contender.usage().values()].reduce((sum, { cpuMs }) => sum + cpuMs, 0);
