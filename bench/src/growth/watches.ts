import { callAll } from '../requests/measure.ts';
import { configMap, configMaps } from '../requests/objects.ts';
import { costOf, MemoryOfEach } from './cost-of.ts';
import { ManyWatches } from './many-watches.ts';
import type { GrowthRow } from './growth-row.ts';

const creates = 16;

/** Watches of one resource. */
export const watchesOfOneResource: GrowthRow = {
  name: 'watches',
  title: 'Watches of one resource',
  unit: 'watches',
  sizes: [100, 1000, 10_000],
  bounds: [
    { figure: 'KB a watch', most: 40 },
    { figure: 'µs an event', mostGrowth: 2 },
  ],
  grow: async ({ client, contender }, sizes, point) => {
    const watches = new ManyWatches(contender);
    try {
      const memory = new MemoryOfEach(() => contender);
      let open = 0;
      for (const size of sizes) {
        await watches.open(Array.from({ length: size - open }, () => `${configMaps}?watch=true&resourceVersion=0`));
        open = size;
        const kilobytes = await memory.figure('KB a watch', size);
        const expected = watches.lines + creates * size;
        const { cpuMs } = await costOf(contender, async () => {
          await callAll(creates, 8, (i) => client.call('POST', configMaps, configMap(`event-${size}-${i}`)));
          await watches.until(expected);
        });
        point({
          size,
          figures: { ...kilobytes, 'µs an event': (cpuMs * 1000) / (creates * size) },
        });
      }
    } finally {
      watches.close();
    }
  },
};
