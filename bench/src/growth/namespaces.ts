import { callAll } from '../requests/measure.ts';
import { costOf, MemoryOfEach } from './cost-of.ts';
import type { GrowthRow } from './growth-row.ts';

const namespaces = '/api/v1/namespaces';

/** Namespaces with an object each. */
export const manyNamespaces: GrowthRow = {
  name: 'namespaces',
  title: 'Namespaces with a ConfigMap each',
  unit: 'namespaces',
  sizes: [100, 1000, 10_000],
  bounds: [
    { figure: 'KB a namespace', most: 30 },
    { figure: 'processor µs a namespace', mostGrowth: 1.5 },
    { figure: 'processor µs of a GET in one', mostGrowth: 2 },
  ],
  grow: async ({ client, contender }, sizes, point) => {
    const memory = new MemoryOfEach(() => contender);
    let made = 0;
    for (const size of sizes) {
      const { cpuMs } = await costOf(contender, () =>
        callAll(size - made, 16, async (offset) => {
          const name = `namespace-${made + offset}`;
          await client.call(
            'POST',
            namespaces,
            JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
          );
          await client.call(
            'POST',
            `${namespaces}/${name}/configmaps`,
            JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { text: name } }),
          );
        }),
      );
      const each = (cpuMs * 1000) / (size - made);
      made = size;
      const reads = 4000;
      const read = await costOf(contender, () =>
        callAll(reads, 16, (i) => client.call('GET', `${namespaces}/namespace-${i % size}/configmaps/one`)),
      );
      point({
        size,
        figures: {
          'processor µs a namespace': each,
          'processor µs of a GET in one': (read.cpuMs * 1000) / reads,
          ...(await memory.figure('KB a namespace', size)),
        },
      });
    }
  },
};
