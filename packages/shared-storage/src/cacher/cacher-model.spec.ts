import { expect } from 'chai';
import fc from 'fast-check';
import { StorageError } from '../storage/errors.ts';
import type { ListOptions, ListResult, StorageInterface } from '../storage/interfaces.ts';
import { Cacher } from './cacher.ts';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { FaultyStorage } from './testing/faulty-storage.ts';
import { KEY_ROOT, pod, podCodec, podConfig, podKey, select } from './testing/pods.ts';
import { Replica } from './testing/replica.ts';

const ALL = `${KEY_ROOT}/`;

type Step =
  | { readonly kind: 'put'; readonly name: string; readonly app: string; readonly node: string }
  | { readonly kind: 'delete'; readonly name: string }
  | { readonly kind: 'bump' | 'progress' | 'cut' | 'cutHard' | 'compact' | 'hold' | 'release' | 'time' }
  | { readonly kind: 'page'; readonly limit: number };

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      name,
      app: fc.constantFrom('web', 'db'),
      node: fc.constantFrom('n1', 'n2'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('delete' as const), name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'bump' as const,
        'progress' as const,
        'cut' as const,
        'cutHard' as const,
        'compact' as const,
        'hold' as const,
        'release' as const,
        'time' as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
);

const shape = (list: ListResult): unknown => ({
  items: list.items.map(({ key, revision, json }) => [key, revision, Buffer.from(json).toString()]),
  // A cache's tokens have a slash in front, the store's have none.
  continue: Buffer.from(list.continue, 'base64url').toString().replace('"start":"/', '"start":"'),
  remaining: list.remainingItemCount,
});

async function pages(storage: StorageInterface, prefix: string, options: ListOptions): Promise<ListResult[]> {
  const result = [await storage.getList(prefix, options)];
  while (result.at(-1)!.continue !== '')
    result.push(await storage.getList(prefix, { ...options, continue: result.at(-1)!.continue }));
  return result;
}

async function play(steps: readonly Step[]): Promise<{ readonly relists: number; readonly generations: number }> {
  const store = new FaultyStorage(podCodec);
  const clock = new FakeClock();
  // A tiny window, so that watches and pages fall out of it.
  const cacher = new Cacher({
    storage: store,
    config: podConfig,
    keyRoot: KEY_ROOT,
    clock,
    random: () => 0.5,
    window: { minEvents: 4, maxEvents: 4 },
  });
  const selections = [select({}), select({ app: 'web' }), select({}, { 'spec.nodeName': 'n1' })];
  const replicas = selections.map((selection) => new Replica(cacher, ALL, selection));
  const ready = async (): Promise<void> => {
    store.release();
    await settle();
    // Time for the reflector's pauses after what was done to its watch.
    for (let i = 0; i < 3 && !cacher.describe().connected; i++) await clock.advance(7500);
    expect(cacher.describe().status).to.equal('ready');
  };
  await cacher.waitReady(1000);
  for (const replica of replicas) await replica.sync();
  for (const { kind, ...detail } of steps as (Step & {
    name?: string;
    app?: string;
    node?: string;
    limit?: number;
  })[]) {
    const { name: podName = '', app = '', node = '', limit = 1 } = detail;
    const key = podKey(podName < 'd' ? 'left' : 'right', podName);
    switch (kind) {
      case 'put':
        await store.guaranteedUpdate(
          key,
          () => ({
            object: pod(podName < 'd' ? 'left' : 'right', podName, {
              labels: { app },
              nodeName: node,
              data: String(store.revision),
            }),
          }),
          { ignoreNotFound: true },
        );
        break;
      case 'delete':
        await store.delete(key).catch(() => undefined);
        break;
      case 'bump':
        store.bump();
        break;
      case 'progress':
        store.sendProgress();
        break;
      case 'cut':
        store.cutWatches(new StorageError('Unreachable', 'cut'));
        break;
      case 'cutHard':
        store.cutWatches(new StorageError('ResourceExpired', 'compacted'));
        break;
      case 'compact':
        store.compact(store.revision);
        break;
      case 'hold':
        store.holdEvents = true;
        break;
      case 'release':
        store.release();
        break;
      case 'time':
        await clock.advance(1000);
        break;
      case 'page': {
        await ready();
        for (const predicate of selections) {
          for (const prefix of [ALL, `${ALL}left/`]) {
            const [ours, theirs] = [
              await pages(cacher, prefix, { limit, predicate }),
              await pages(store, prefix, { limit, predicate }),
            ];
            // An index knows that nothing selected follows, the store only that keys do: tokens differ, content must
            // not.
            if (predicate.empty) expect(ours.map(shape)).to.deep.equal(theirs.map(shape));
            else
              expect(ours.flatMap(({ items }) => items.map(({ key, revision }) => [key, revision]))).to.deep.equal(
                theirs.flatMap(({ items }) => items.map(({ key, revision }) => [key, revision])),
              );
          }
        }
        break;
      }
      default:
        kind satisfies never;
    }
    await settle(2);
  }
  await ready();
  for (const replica of replicas) await replica.sync();
  await settle();
  for (const [i, selection] of selections.entries()) {
    const stored = await store.getList(ALL, { predicate: selection });
    expect(shape(await cacher.getList(ALL, { predicate: selection }))).to.deep.equal(shape(stored));
    expect(replicas[i]!.content).to.deep.equal(stored.items.map(({ key, revision }) => [key, revision]));
  }
  const { window, generation } = cacher.describe();
  for (let revision = Math.max(window.floor, store.compactedRevision()); revision <= store.revision; revision++) {
    const options = { resourceVersion: String(revision), resourceVersionMatch: 'Exact' as const };
    expect(shape(await cacher.getList(ALL, options))).to.deep.equal(shape(await store.getList(ALL, options)));
  }
  expect((await cacher.checkConsistency()).kind).to.equal('consistent');
  await cacher.close();
  expect(clock.timers, 'timers left').to.equal(0);
  return { relists: replicas.reduce((sum, replica) => sum + replica.relists, 0), generations: generation };
}

describe('Cacher against a model', () => {
  it(
    'equals the store at every revision, through cuts, ' + 'compaction and delay, and watchers miss nothing',
    async function test() {
      this.timeout(60_000);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (steps) => {
          await play(steps);
        }),
        { numRuns: 80 },
      );
    },
  );
});
