import { setTimeout as delay } from 'node:timers/promises';
import { configMap, configMaps, definition, definitions, mergePatch, patch, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { letters } from './many-rows.ts';
import { many, poured, together } from './pour.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type HostileRequest, type Outcome } from './target.ts';

/** How long the controllers are watched at it; a namespace is left alone for five seconds first. */
const settleMs = 15_000;

const namespace = (name: string): HostileRequest =>
  post('/api/v1/namespaces', JSON.stringify({ metadata: { name, labels: { hostile: 'many' } } }));
const end = (name: string): HostileRequest => ({ method: 'DELETE', path: `/api/v1/namespaces/${name}` });

/** What may make namespaces may fill and delete them; `free` lets go what holds its objects. */
function filled(
  title: string,
  fill: (target: Target) => Promise<Outcome[]>,
  free?: (target: Target) => Promise<Outcome>,
): HostileRow {
  return attack(`namespaces: ${title}`, async ({ port }) => {
    const target = new Target(port, administrator);
    const outcomes = [await target.http2([namespace('filled')]), ...(await fill(target))];
    outcomes.push(await target.http2([end('filled')]));
    await delay(settleMs);
    if (free !== undefined) outcomes.push(await free(target));
    return together(outcomes);
  });
}

const freed = '{"metadata":{"finalizers":null}}';
const inIt = '/api/v1/namespaces/filled/configmaps';

/** Objects that nobody lets go, until their finalizers are taken away again. */
async function held(target: Target, count: number, settle: () => Promise<void>): Promise<Outcome[]> {
  const nameOf = (i: number): string => `f${String(i).padStart(6, '0')}`;
  const made = await poured(target, count, (i) =>
    post(configMaps, configMap({ metadata: { name: nameOf(i), finalizers: [`hostile.example/${i}`] } })),
  );
  const gone = await target.http2([{ method: 'DELETE', path: configMaps }]);
  await settle();
  return [made, gone, await poured(target, count, (i) => patch(mergePatch, freed, `${configMaps}/${nameOf(i)}`))];
}

/** Namespaces with much in them, and many of them, that are deleted. */
export const namespaceRows = (count: number): readonly HostileRow[] => [
  filled(`one of ${count} objects`, async (target) => [
    await poured(target, count, () => post(inIt, '{"metadata":{"generateName":"h-"},"data":{"a":"b"}}')),
  ]),
  filled(
    'one of 300 objects of 3,000 finalizers each',
    async (target) => [
      await poured(target, 300, (i) => {
        const finalizers = many(3_000, (j) => `hostile.example/${i}-${j}`);
        return post(inIt, configMap({ metadata: { name: `f${i}`, finalizers } }));
      }),
    ],
    (target) => poured(target, 300, (i) => patch(mergePatch, freed, `${inIt}/f${i}`)),
  ),
  filled('one of 100 custom kinds', async (target) => {
    const plural = (i: number): string => `k${letters(i)}`;
    const defined = await poured(target, 100, (i) => post(definitions, definition(plural(i), { type: 'object' })));
    await delay(3_000);
    const made = await poured(target, 1_000, (i) => {
      const name = plural(i % 100);
      return post(
        `/apis/hostile.example/v1/namespaces/filled/${name}s`,
        JSON.stringify({
          apiVersion: 'hostile.example/v1',
          kind: name[0]!.toUpperCase() + name.slice(1),
          metadata: { generateName: 'h-' },
        }),
      );
    });
    return [defined, made];
  }),
  attack(`namespaces: ${count / 100}, made and deleted`, async ({ port }) => {
    const target = new Target(port, administrator);
    const made = await poured(target, count / 100, (i) => namespace(`many-${i}`));
    const gone = await poured(target, count / 100, (i) => end(`many-${i}`));
    await delay(settleMs);
    return together([made, gone]);
  }),
  attack(`namespaces: ${count / 4} objects that are held by finalizers`, async (target) =>
    together(await held(target, count / 4, () => delay(settleMs / 3))),
  ),
];
