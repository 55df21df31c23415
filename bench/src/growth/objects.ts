import { callAll } from '../requests/measure.ts';
import { configMaps } from '../requests/objects.ts';
import { costOf, MemoryOfEach } from './cost-of.ts';
import { ManyWatches } from './many-watches.ts';
import type { GrowthRow, Subject } from './growth-row.ts';

const informers = 100;
const pageItems = 500;

/** Objects of one resource; what a client's informers do with them, and a restart over all of them. */
export const manyObjects: GrowthRow = {
  name: 'objects',
  title: 'Objects of one resource (350 bytes each)',
  unit: 'objects',
  sizes: [1000, 10_000, 100_000],
  bounds: [
    { figure: 'µs of a list', mostGrowth: 2 },
    { figure: 'µs of a paged list', mostGrowth: 2 },
    { figure: 'µs of WatchList for each of 100', mostGrowth: 2 },
    { figure: 'KB an object', most: 12 },
  ],
  grow: async (subject, sizes, point) => {
    let current = subject;
    const memory = new MemoryOfEach(() => current.contender);
    let made = 0;
    for (const size of sizes) {
      await callAll(size - made, 32, (i) => current.client.call('POST', configMaps, small(`object-${made + i}`)));
      made = size;
      const micros = async (work: () => Promise<unknown>): Promise<number> =>
        ((await costOf(current.contender, work)).cpuMs * 1000) / size;
      // The first one may find the cache cold.
      await current.client.call('GET', configMaps);
      const lists = Math.max(1, Math.round(20_000 / size));
      const list = (await micros(() => callAll(lists, 1, () => current.client.call('GET', configMaps)))) / lists;
      const paged = (await micros(() => callAll(lists, 1, () => listInPages(current)))) / lists;
      const kilobytes = await memory.figure('KB an object', size);
      const watchList = (await micros(() => watchLists(current, size))) / informers;
      const restarted = await current.restart();
      current = restarted;
      const answered = await costOf(restarted.contender, () => restarted.client.call('GET', configMaps));
      point({
        size,
        figures: {
          'µs of a list': list,
          'µs of a paged list': paged,
          'µs of WatchList for each of 100': watchList,
          ...kilobytes,
          'ms from a start to the whole list': restarted.contender.readyMs + answered.wallMs,
        },
      });
    }
  },
};

async function listInPages({ client }: Subject): Promise<void> {
  let token = '';
  do {
    const page = await client.text(`${configMaps}?limit=${pageItems}${token && `&continue=${token}`}`);
    token = /"continue":"([^"]+)"/.exec(page)?.[1] ?? '';
  } while (token !== '');
}

async function watchLists({ contender }: Subject, size: number): Promise<void> {
  const watches = new ManyWatches(contender);
  try {
    const initial = 'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const path = `${configMaps}?watch=true&${initial}`;
    await watches.open(Array.from({ length: informers }, () => path));
    await watches.until(informers * (size + 1));
  } finally {
    watches.close();
  }
}

const small = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(40) } });
