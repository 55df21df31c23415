import { expect } from 'chai';
import type { CompiledFlowSchema } from './compiled-flow-schema.ts';
import type { ResourceStats } from './object-stats.ts';
import { FlowBench, contextOf, queueLevel, schemaOf } from './testing/flow-fixtures.ts';
import { WatchTracker } from './watch-tracker.ts';
import { estimateWork } from './work-estimator.ts';

const level = (shares: number): CompiledFlowSchema => {
  const bench = new FlowBench({
    serverLimit: 600,
    levels: [queueLevel('l', { shares, queues: 64, handSize: 6 }), queueLevel('rest', { shares: 1_000 - shares })],
    schemas: [schemaOf('s', 'l')],
  });
  return bench.flowControl.schemas.find(({ name }) => name === 's') as CompiledFlowSchema;
};
const wide = level(900);
const narrow = level(30);

function seats(
  target: string,
  stats: ResourceStats | 'stale' | undefined,
  options: { readonly method?: string; readonly watches?: number; readonly schema?: CompiledFlowSchema } = {},
): readonly [initial: number, final: number, latencyMs: number] {
  const estimate = estimateWork(contextOf(target, { method: options.method ?? 'GET' }), options.schema ?? wide, {
    stats: { of: () => stats },
    watches: { interestedIn: () => options.watches ?? 0 },
  });
  return [estimate.initialSeats, estimate.finalSeats, estimate.additionalLatencyMs];
}

describe('estimateWork', () => {
  const pods = '/api/v1/namespaces/a/pods';
  const many: ResourceStats = { objects: 10_000, bytes: 30_000_000 };

  const lists: readonly (readonly [
    name: string,
    target: string,
    stats: ResourceStats | 'stale' | undefined,
    expected: number,
  ])[] = [
    ['a get', `${pods}/p`, many, 1],
    ['a list of what nobody counts', pods, undefined, 1],
    ['a list of nothing', pods, { objects: 0, bytes: 0 }, 1],
    ['a list of little', pods, { objects: 20, bytes: 60_000 }, 1],
    ['a list of some', pods, { objects: 100, bytes: 450_000 }, 5],
    ['a long list, which is sent object by object', pods, many, 10],
    ['a page of it', `${pods}?limit=100`, many, 3],
    ['objects of unknown size', `${pods}?limit=2`, { objects: 10, bytes: undefined }, 10],
    [
      'a list at an exact revision, from storage',
      `${pods}?resourceVersionMatch=Exact&resourceVersion=5&limit=1000`,
      many,
      30,
    ],
    [
      'the same with a selector, which reads more',
      `${pods}?resourceVersionMatch=Exact&resourceVersion=5&limit=100&labelSelector=a`,
      many,
      81,
    ],
    ['what goes on with a list', `${pods}?continue=x&limit=1000`, many, 30],
    ['one object of a list', `${pods}?fieldSelector=metadata.name%3Da`, many, 1],
    ['counts that are stale', `${pods}?continue=x`, 'stale', 81],
    ['a watch that begins with what is there', `${pods}?watch=true`, many, 10],
    ['a watch from a revision', `${pods}?watch=true&resourceVersion=5`, many, 1],
    [
      'a watch from a revision that wants what is there',
      `${pods}?watch=true&resourceVersion=5&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      many,
      10,
    ],
  ];
  for (const [name, target, stats, expected] of lists)
    it(`gives ${name} ${expected} seats`, () => {
      expect(seats(target, stats)).to.deep.equal([expected, 0, 0]);
    });

  it('gives nobody more than the level can bear', () => {
    expect(seats(pods, many, { schema: narrow })).to.deep.equal([3, 0, 0]);
  });

  const writes: readonly (readonly [watches: number, schema: CompiledFlowSchema, final: number, latencyMs: number])[] =
    [
      [9, wide, 0, 0],
      [10, wide, 1, 5],
      [95, wide, 10, 5],
      [400, wide, 10, 20],
      [400, narrow, 3, 66.7],
    ];
  for (const [watches, schema, final, latencyMs] of writes) {
    it(`a write that ${watches} watches hear of ends with ${final} seats for ${latencyMs} ms`, () => {
      const [initial, actualFinal, actualMs] = seats(pods, many, { method: 'POST', watches, schema });
      expect([initial, actualFinal]).to.deep.equal([1, final]);
      expect(actualMs).to.be.closeTo(latencyMs, 0.1);
    });
  }

  it('knows that tokens make no events', () => {
    expect(seats('/api/v1/namespaces/a/serviceaccounts/s/token', many, { method: 'POST', watches: 400 })).to.deep.equal(
      [1, 0, 0],
    );
  });
});

describe('WatchTracker', () => {
  const tracker = new WatchTracker();
  const watch = (target: string): (() => void) | undefined =>
    tracker.register(contextOf(`${target}${target.includes('?') ? '&' : '?'}watch=true`));
  const interested = (target: string, method = 'PUT'): number =>
    tracker.interestedIn(contextOf(target, { method }).requestInfo);

  it('counts who hears of an object', () => {
    const forget = [
      '/api/v1/configmaps',
      '/api/v1/namespaces/a/configmaps',
      '/api/v1/namespaces/b/configmaps',
      '/api/v1/namespaces/a/configmaps?fieldSelector=metadata.name%3Dx',
      '/apis/apps/v1/deployments',
    ].map(watch);
    expect([
      interested('/api/v1/namespaces/a/configmaps/x'),
      interested('/api/v1/namespaces/a/configmaps/y'),
      interested('/api/v1/namespaces/c/configmaps/x'),
      interested('/api/v1/namespaces/a/configmaps', 'POST'),
    ]).to.deep.equal([3, 2, 1, 2]);
    for (const stop of forget) stop?.();
    expect(interested('/api/v1/namespaces/a/configmaps/x')).to.equal(0);
  });
  it('leaves out watches of one node', () => {
    expect(watch('/api/v1/pods?fieldSelector=spec.nodeName%3Dn')).to.equal(undefined);
    expect(watch('/api/v1/pods?fieldSelector=spec.nodeName%3D')).not.to.equal(undefined);
  });
});
