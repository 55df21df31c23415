import { Client } from '../requests/client.ts';
import { callAll } from '../requests/measure.ts';
import { configMap, configMaps } from '../requests/objects.ts';
import { costOf, MemoryOfEach } from './cost-of.ts';
import type { GrowthRow } from './growth-row.ts';

/** Clients with a connection each, which has been used once and stays open. */
export const manyClients: GrowthRow = {
  name: 'clients',
  title: 'Clients connected over TLS',
  unit: 'clients',
  sizes: [100, 1000, 5000],
  bounds: [
    { figure: 'KB a client', most: 150 },
    { figure: 'processor µs of a connection', mostGrowth: 1.5 },
    { figure: 'processor µs of a GET', mostGrowth: 2 },
  ],
  grow: async ({ client, contender }, sizes, point) => {
    await client.call('POST', configMaps, configMap('one'));
    const clients: Client[] = [];
    try {
      const memory = new MemoryOfEach(() => contender);
      for (const size of sizes) {
        const from = clients.length;
        const { cpuMs } = await costOf(contender, () =>
          callAll(size - from, 16, async () => {
            const one = new Client(contender.dataDir, contender.port, 1);
            clients.push(one);
            await one.call('GET', `${configMaps}/one`);
          }),
        );
        const kilobytes = await memory.figure('KB a client', size);
        const reads = 4000;
        const read = await costOf(contender, () => callAll(reads, 16, () => client.call('GET', `${configMaps}/one`)));
        point({
          size,
          figures: {
            'processor µs of a connection': (cpuMs * 1000) / (size - from),
            'processor µs of a GET': (read.cpuMs * 1000) / reads,
            ...kilobytes,
          },
        });
      }
    } finally {
      for (const one of clients) one.close();
    }
  },
};
