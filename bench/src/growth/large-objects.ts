import { callAll } from '../requests/measure.ts';
import { configMaps } from '../requests/objects.ts';
import { costOf } from './cost-of.ts';
import type { GrowthRow } from './growth-row.ts';

const bytesOfRound = 32 * 1024;

/** Objects of up to 1 MiB, which is the most that the reference stores. */
export const largeObjects: GrowthRow = {
  name: 'large-objects',
  title: 'Large objects: processor time for each KiB',
  unit: 'KiB an object',
  sizes: [1, 32, 1000],
  // Small ones cost what a request costs: what is for each KiB becomes less.
  bounds: [
    { figure: 'µs a KiB created', mostGrowth: 1 },
    { figure: 'µs a KiB read', mostGrowth: 1 },
    { figure: 'µs a KiB patched', mostGrowth: 1 },
  ],
  grow: async ({ client, contender }, sizes, point) => {
    for (const size of sizes) {
      const data = Object.fromEntries(
        Array.from({ length: Math.max(1, size / 10) }, (_, i) => [`text-${i}`, 'x'.repeat(Math.min(size, 10) * 1000)]),
      );
      const objects = Math.max(20, Math.round(bytesOfRound / size / 32));
      const microsOf = async (work: (i: number) => Promise<unknown>): Promise<number> =>
        ((await costOf(contender, () => callAll(objects, 4, work))).cpuMs * 1000) / objects / size;
      const nameOf = (i: number): string => `large-${size}-${i}`;
      const created = await microsOf((i) =>
        client.call(
          'POST',
          configMaps,
          JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: nameOf(i) }, data }),
        ),
      );
      const read = await microsOf((i) => client.call('GET', `${configMaps}/${nameOf(i)}`));
      const patched = await microsOf((i) =>
        client.call('PATCH', `${configMaps}/${nameOf(i)}`, '{"metadata":{"labels":{"patched":"true"}}}', {
          'Content-Type': 'application/merge-patch+json',
        }),
      );
      point({
        size,
        figures: { 'µs a KiB created': created, 'µs a KiB read': read, 'µs a KiB patched': patched },
      });
    }
  },
};
