import { setTimeout as delay } from 'node:timers/promises';
import { definition, definitions, mergePatch, patch, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import type { HostileRow } from './row.ts';
import type { HostileRequest, Outcome, Target } from './target.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const name = `${definitions}/larges.hostile.example`;
const objects = '/apis/hostile.example/v1/namespaces/hostile/larges';
const text = 'x'.repeat(40);

/** A definition that is as large as the store takes it, what is done with it, and its end. */
function large(title: string, make: () => object, use: (target: Target) => Promise<readonly Outcome[]>): HostileRow {
  return attack(`a large definition: ${title}`, async (target) => {
    const made = await target.http2([post(definitions, definition('large', make()))]);
    for (let tries = 0; tries < 100; tries++) {
      const { statuses } = await target.http2([{ path: objects }]);
      if (statuses[0] === 200) break;
      await delay(100);
    }
    const outcomes = [made, ...(await use(target)), await target.http2([{ method: 'DELETE', path: name }])];
    const failed = outcomes.find(({ statuses }) => statuses.some((status) => status >= 500));
    return { statuses: outcomes.flatMap(({ statuses }) => statuses), text: (failed ?? made).text };
  });
}

const manyRules = (): object => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 10 } },
      'x-kubernetes-validations': many(12_000, (i) => ({ rule: `self.a != "${i}${text}"`, message: `no ${i}` })),
    },
  },
});
const manyProperties = (): object => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: Object.fromEntries(
        many(14_000, (i) => [`property-${i}`, { type: 'string', description: text, maxLength: 10 }]),
      ),
    },
  },
});
const object = (i: number): HostileRequest =>
  post(
    objects,
    JSON.stringify({ apiVersion: 'hostile.example/v1', kind: 'Large', metadata: { name: `l${i}` }, spec: { a: 'b' } }),
  );
const labelled = (path: string, i: number): HostileRequest =>
  patch(mergePatch, JSON.stringify({ metadata: { labels: { a: `v${i}` } } }), path);

/** One after the other. */
async function inTurn(target: Target, requests: readonly HostileRequest[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const request of requests) outcomes.push(await target.http2([request]));
  return outcomes;
}

/** Definitions as large as they may be, and all that has to do with them. */
export const definitionRows: readonly HostileRow[] = (
  [
    ['12,000 rules', manyRules],
    ['14,000 properties', manyProperties],
  ] as const
).flatMap(([title, make]) => [
  large(`${title}, labelled 30 times`, make, (target) =>
    inTurn(
      target,
      many(30, (i) => labelled(name, i)),
    ),
  ),
  large(`${title}, labelled 10 times at once, three times`, make, async (target) => [
    await target.http2(many(10, (i) => labelled(name, i))),
    await target.http2(many(10, (i) => labelled(name, i))),
    await target.http2(many(10, (i) => labelled(name, i))),
  ]),
  large(`${title}, and 100 objects of it that are changed`, make, async (target) => [
    await target.http2(many(100, object)),
    await target.http2(many(100, (i) => labelled(`${objects}/l${i}`, i))),
    await target.http2(many(100, (i) => ({ path: `${objects}/l${i}` }))),
    await target.http2(many(20, () => ({ path: objects, headers: { accept: 'application/yaml' } }))),
    await target.http2([{ method: 'DELETE', path: objects }]),
  ]),
  large(`${title}, read in each form 20 times at once`, make, async (target) => [
    await target.http2(many(20, () => ({ path: name }))),
    await target.http2(many(20, () => ({ path: name, headers: { accept: 'application/yaml' } }))),
    await target.http2(many(20, () => ({ path: `${definitions}?pretty=true` }))),
    await target.http2(many(20, () => ({ path: '/openapi/v2' }))),
    await target.http2(many(20, () => ({ path: '/openapi/v3/apis/hostile.example/v1' }))),
  ]),
]);
