import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../requests/client.ts';
import { callAll } from '../requests/measure.ts';
import { configMap, configMaps, defineThings, thing, things } from '../requests/objects.ts';
import type { Figures } from './figure.ts';
import type { Launcher } from './launchers.ts';
import { measureMemory } from './memory.ts';

/** How many config maps are made, and as many custom resources. */
const objects = 20_000;
const connections = 32;

/**
 * Memory of each contender with as many objects as the others have: rows take as long for all of them, and who is
 * faster has written more by their end. Resolves to lines as {@link measureMemory}.
 */
export async function measureFilled(
  figures: Figures,
  launchers: readonly Launcher[],
  directory: string,
): Promise<string[]> {
  const lines: string[] = [];
  for (const launcher of launchers) {
    const place = join(directory, `filled-${launcher.name}`);
    mkdirSync(place);
    const contender = await launcher.start(place);
    try {
      const client = new Client(contender.dataDir, contender.port, connections);
      await fill(client).finally(() => client.close());
      lines.push(...(await measureMemory(figures, [contender], `with ${objects * 2} objects of 1 KiB`)));
    } finally {
      await contender.stop();
    }
    rmSync(place, { recursive: true, force: true });
  }
  return lines;
}

async function fill(client: Client): Promise<void> {
  await defineThings(client, thing('first'));
  await callAll(objects, connections, (i) => client.call('POST', configMaps, configMap(`filled-${i}`)));
  await callAll(objects, connections, (i) => client.call('POST', things, thing(`filled-${i}`)));
}
