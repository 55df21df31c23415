import { definition, objectOf } from '../crds/definition.ts';
import { callAll } from '../requests/measure.ts';
import { definitions, untilServed } from '../requests/objects.ts';
import { costOf, MemoryOfEach, restedKB } from './cost-of.ts';
import { ManyWatches } from './many-watches.ts';
import type { GrowthRow, Subject } from './growth-row.ts';

const objectsOfEach = 10;
const fields = 20;

/** CRDs, each with ten objects. */
export const manyDefinitions: GrowthRow = {
  name: 'definitions',
  title: 'CRDs with ten objects each',
  unit: 'CRDs',
  sizes: [10, 100, 1000],
  bounds: [
    { figure: 'KB a CRD', most: 600 },
    { figure: 'processor ms a CRD', mostGrowth: 1.5 },
  ],
  grow: async (subject, sizes, point) => {
    const { contender } = subject;
    const memory = new MemoryOfEach(() => contender);
    let made = 0;
    for (const size of sizes) {
      const { cpuMs } = await costOf(contender, () => make(subject, made, size));
      const each = { 'processor ms a CRD': cpuMs / (size - made) };
      made = size;
      point({ size, figures: { ...each, ...(await memory.figure('KB a CRD', size)) } });
    }
  },
};

/** Watches of as many resources, up to a thousand; ten of each then. */
export const watchesOfManyResources: GrowthRow = {
  name: 'watched-resources',
  title: 'Watches of 100 resources, of 1,000, and ten of each of 1,000',
  unit: 'watches',
  sizes: [100, 1000, 10_000],
  bounds: [
    { figure: 'KB a watch', most: 600 },
    { figure: 'processor µs an event', mostGrowth: 2 },
  ],
  grow: async (subject, sizes, point) => {
    const { client, contender } = subject;
    const watches = new ManyWatches(contender);
    try {
      let made = 0;
      const open: string[] = [];
      for (const size of sizes) {
        const resources = Math.min(size, 1000);
        if (resources > made) await make(subject, made, resources);
        made = resources;
        const before = await restedKB(contender);
        const wanted = Array.from({ length: size }, (_, i) => `${pathOf(i % resources)}?watch=true`);
        const more = wanted.slice(open.length);
        await watches.open(more);
        open.push(...more);
        // What is there comes first, as no version was asked for.
        await watches.until(size * objectsOfEach);
        const kilobytes = (await restedKB(contender)) - before;
        const expected = watches.lines + size;
        const { cpuMs } = await costOf(contender, async () => {
          await callAll(resources, 8, (i) => client.call('POST', pathOf(i), named(i, `event-${size}`)));
          await watches.until(expected);
        });
        await callAll(resources, 8, (i) => client.call('DELETE', `${pathOf(i)}/event-${size}`));
        await watches.until(expected + size);
        watches.lines -= 2 * size;
        point({
          size,
          figures: { 'KB a watch': kilobytes / more.length, 'processor µs an event': (cpuMs * 1000) / size },
        });
      }
    } finally {
      watches.close();
    }
  },
};

async function make({ client }: Subject, from: number, to: number): Promise<void> {
  await callAll(to - from, 4, async (offset) => {
    const i = from + offset;
    await client.call('POST', definitions, definition(i, fields).text);
    await untilServed(() => client.call('POST', pathOf(i), objectOf(i)));
    for (let object = 1; object < objectsOfEach; object++)
      await client.call('POST', pathOf(i), named(i, `object-${object}`));
  });
}

function pathOf(index: number): string {
  const { group, plural } = definition(index, 1);
  return `/apis/${group}/v1/namespaces/default/${plural}`;
}

const named = (index: number, name: string): string => objectOf(index).replace('"name":"first"', `"name":"${name}"`);
