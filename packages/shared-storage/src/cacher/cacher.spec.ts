import { expect } from 'chai';
import { isStorageError } from '../storage/errors.ts';
import type { ReadSource } from '../storage/interfaces.ts';
import { Cacher } from './cacher.ts';
import type { CacherOptions } from './cacher.ts';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { FaultyStorage } from './testing/faulty-storage.ts';
import { NotingSpan } from '../testing/noting-span.ts';
import { withSpan } from '../tracing/span.ts';
import { KEY_ROOT, Recorder, pod, podCodec, podConfig, podKey, select } from './testing/pods.ts';

const ALL = `${KEY_ROOT}/`;

interface Fixture {
  readonly store: FaultyStorage;
  readonly cacher: Cacher;
  readonly clock: FakeClock;
}

const open: Cacher[] = [];

async function fixture(
  prepare?: (store: FaultyStorage) => Promise<void>,
  options: Partial<CacherOptions> = {},
): Promise<Fixture> {
  const store = new FaultyStorage(podCodec);
  await prepare?.(store);
  const clock = new FakeClock();
  const cacher = new Cacher({
    storage: store,
    config: podConfig,
    keyRoot: KEY_ROOT,
    clock,
    random: () => 0.5,
    ...options,
  });
  open.push(cacher);
  expect(await cacher.waitReady(1000)).to.equal(true);
  await settle();
  return { store, cacher, clock };
}

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('resolved'),
    (error: unknown) => error,
  );
const names = (list: { readonly items: readonly { readonly attributes: { readonly name: string } }[] }): string[] =>
  list.items.map(({ attributes }) => attributes.name);

describe('Cacher', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((cacher) => cacher.close()));
  });

  describe('reads', () => {
    it('serves get and list from memory after one shared revision read', async () => {
      const { store, cacher } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x'));
      });
      const before = { ...store.calls };
      const reads = await Promise.all(Array.from({ length: 64 }, () => cacher.get(podKey('a', 'x'))));
      expect(reads.every((record) => record?.attributes.name === 'x')).to.equal(true);
      expect(names(await cacher.getList(ALL))).to.deep.equal(['x']);
      expect(store.calls.get - before.get).to.equal(0);
      expect(store.calls.getList - before.getList).to.equal(0);
      expect(store.calls.currentRevision - before.currentRevision).to.equal(2);
    });

    it('tells who has answered', async () => {
      const { cacher, store } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x'));
      });
      const sources: ReadSource[] = [];
      const answeredBy = (source: ReadSource): void => void sources.push(source);
      await cacher.get(podKey('a', 'x'), { answeredBy });
      await cacher.getList(ALL, { answeredBy });
      await cacher.getList(podKey('a', 'x'), { answeredBy, recursive: false });
      await cacher.get(podKey('a', 'x'), { answeredBy, uncached: true });
      await store.getList(ALL, { answeredBy });
      expect(sources).to.deep.equal(['cache', 'cache', 'cache', 'store', 'store']);
    });

    it('tells traced reads what it does, under the names of the reference', async () => {
      const { cacher } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x'));
        await s.create(podKey('a', 'y'), pod('a', 'y'));
      });
      const span = new NotingSpan();
      await withSpan(span, async () => {
        await cacher.get(podKey('a', 'x'));
        await cacher.getList(ALL, { predicate: select({}, { 'metadata.name': 'y' }) });
      });
      expect(span.notes).to.deep.equal([
        'cacher.Get',
        'About to fetch object from cache',
        'cacher.GetList',
        'Ready',
        'watchCache fresh enough',
        'Listed items from cache {"count":2}',
        'Filtered items {"count":1}',
      ]);
    });

    it('waits for a revision that the store reached before the read', async () => {
      const { store, cacher } = await fixture();
      store.holdEvents = true;
      await store.create(podKey('a', 'x'), pod('a', 'x'));
      const read = cacher.get(podKey('a', 'x'));
      await settle();
      store.release();
      expect((await read)?.revision).to.equal(store.revision);
    });

    it('is filled page by page, and in one piece when the pages are compacted away', async () => {
      for (const compacts of [false, true]) {
        let lists = 0;
        const { store, cacher } = await fixture(async (s) => {
          for (let i = 0; i < 4500; i++) await s.create(podKey('a', `p${10_000 + i}`), pod('a', `p${10_000 + i}`));
          s.fault = (call) => {
            if (call !== 'getList' || ++lists !== 2 || !compacts) return;
            s.compact(s.bump());
          };
        });
        const { calls } = store;
        expect(calls.getList).to.equal(3);
        const list = await cacher.getList(ALL);
        expect(list.items.length).to.equal(4500);
        expect(new Set(list.items.map(({ key }) => key)).size).to.equal(4500);
        expect(calls.getList).to.equal(3);
      }
    });

    it('asks for progress when the store moved elsewhere', async () => {
      const { store, cacher } = await fixture();
      store.bump();
      expect((await cacher.getList(ALL)).resourceVersion).to.equal(String(store.revision));
      expect(store.calls.requestWatchProgress).to.equal(1);
    });

    it('falls back to the store when it cannot catch up, without waiting again', async () => {
      const { store, cacher, clock } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x'));
      });
      store.ignoreProgress = true;
      store.bump();
      const read = cacher.get(podKey('a', 'x'));
      await settle();
      await clock.advance(3000);
      expect((await read)?.attributes.name).to.equal('x');
      expect(store.calls.get).to.equal(1);
      await cacher.get(podKey('a', 'x'));
      expect(store.calls.get).to.equal(2);
      store.ignoreProgress = false;
      await clock.advance(200);
      await cacher.get(podKey('a', 'x'));
      await settle();
      await cacher.get(podKey('a', 'x'));
      expect(store.calls.get).to.equal(3);
    });

    it('leaves consistent reads to a store that cannot be asked for progress', async () => {
      const { store, cacher, clock } = await fixture(async (s) => {
        s.supportsProgress = false;
        await s.create(podKey('a', 'x'), pod('a', 'x'));
      });
      await cacher.get(podKey('a', 'x'));
      await cacher.getList(ALL);
      expect(store.calls).to.include({ get: 1, getList: 2 });
      await cacher.getList(ALL, { resourceVersion: '0' });
      expect(store.calls.getList).to.equal(2);
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '2', allowWatchBookmarks: true }, sink);
      await settle();
      await clock.advance(600_000);
      expect(store.calls).to.include({ requestWatchProgress: 0, watch: 1 });
    });

    it('leaves it further pages of a list that it answered at a revision the cache never hears of', async () => {
      const { store, cacher } = await fixture(async (s) => {
        s.supportsProgress = false;
        for (const name of ['x', 'y', 'z']) await s.create(podKey('a', name), pod('a', name));
      });
      // Something else has grown since: the store's revision is ahead of all events here.
      await store.create('/registry/other/o', pod('a', 'o'));
      const first = await cacher.getList(ALL, { limit: 2 });
      expect(Number(first.resourceVersion)).to.be.greaterThan(
        Number((await cacher.getList(ALL, { resourceVersion: '0' })).resourceVersion),
      );
      const { items } = await cacher.getList(ALL, { limit: 2, continue: first.continue });
      expect(items.map(({ key }) => key)).to.deep.equal([podKey('a', 'z')]);
    });

    it('answers a resourceVersion from the future with TooLargeResourceVersion after 3 seconds', async () => {
      const { store, cacher, clock } = await fixture();
      const failing = rejection(cacher.getList(ALL, { resourceVersion: '1000' }));
      await settle();
      await clock.advance(2999);
      await clock.advance(1);
      const error = await failing;
      expect(isStorageError(error, 'TooLargeResourceVersion')).to.equal(true);
      expect((error as Error).message).to.equal(`Too large resource version: 1000, current: ${store.revision}`);
      expect(
        isStorageError(await rejection(cacher.get(podKey('a', 'nothing'), { resourceVersion: '0' })), 'KeyNotFound'),
      ).to.equal(true);
    });

    it('pages at the revision of the first page while the store moves on', async () => {
      const { store, cacher } = await fixture(async (s) => {
        for (const name of ['a', 'b', 'c', 'd', 'e']) await s.create(podKey('n', name), pod('n', name));
      });
      const first = await cacher.getList(ALL, { limit: 2 });
      expect(names(first)).to.deep.equal(['a', 'b']);
      expect(first.remainingItemCount).to.equal(3);
      await store.delete(podKey('n', 'c'));
      await store.create(podKey('n', 'bb'), pod('n', 'bb'));
      const second = await cacher.getList(ALL, { limit: 2, continue: first.continue });
      expect(names(second)).to.deep.equal(['c', 'd']);
      expect(second.resourceVersion).to.equal(first.resourceVersion);
      const third = await cacher.getList(ALL, { limit: 2, continue: second.continue });
      expect(names(third)).to.deep.equal(['e']);
      expect(third.continue).to.equal('');
      expect(store.calls.getList).to.equal(1);
      expect(names(await cacher.getList(ALL))).to.deep.equal(['a', 'b', 'bb', 'd', 'e']);
    });

    it('goes to the store for revisions before its history, and for compacted ones', async () => {
      const { store, cacher } = await fixture(async (s) => {
        await s.create(podKey('n', 'a'), pod('n', 'a'));
        await s.create(podKey('n', 'b'), pod('n', 'b'));
      });
      expect(names(await cacher.getList(ALL, { resourceVersion: '2', resourceVersionMatch: 'Exact' }))).to.deep.equal([
        'a',
      ]);
      expect(store.calls.getList).to.equal(2);
      const { revision } = store;
      await store.create(podKey('n', 'c'), pod('n', 'c'));
      expect(
        names(await cacher.getList(ALL, { resourceVersion: String(revision), resourceVersionMatch: 'Exact' })),
      ).to.deep.equal(['a', 'b']);
      expect(store.calls.getList).to.equal(2);
      store.compact(store.revision);
      expect(
        isStorageError(
          await rejection(cacher.getList(ALL, { resourceVersion: String(revision), resourceVersionMatch: 'Exact' })),
          'ResourceExpired',
        ),
      ).to.equal(true);
    });

    it('uses the index, the namespace and the selection', async () => {
      const { cacher } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x', { nodeName: 'n1', labels: { app: 'web' } }));
        await s.create(podKey('b', 'y'), pod('b', 'y', { nodeName: 'n1' }));
        await s.create(podKey('b', 'z'), pod('b', 'z', { nodeName: 'n2', labels: { app: 'web' } }));
      });
      expect(names(await cacher.getList(ALL, { predicate: select({}, { 'spec.nodeName': 'n1' }) }))).to.deep.equal([
        'x',
        'y',
      ]);
      expect(
        names(await cacher.getList(`${ALL}b/`, { predicate: select({}, { 'spec.nodeName': 'n1' }) })),
      ).to.deep.equal(['y']);
      expect(names(await cacher.getList(ALL, { predicate: select({ app: 'web' }) }))).to.deep.equal(['x', 'z']);
      expect(names(await cacher.getList(`${ALL}b`))).to.deep.equal(['y', 'z']);
      expect(names(await cacher.getList(podKey('b', 'y'), { recursive: false }))).to.deep.equal(['y']);
    });

    it(
      'reads the store while it has never been filled, and ' + 'refuses lists with a reason when it cannot be',
      async () => {
        const store = new FaultyStorage(podCodec);
        await store.create(podKey('a', 'x'), pod('a', 'x'));
        const gate = Promise.withResolvers<void>();
        const clock = new FakeClock();
        const cacher = new Cacher({ storage: store, config: podConfig, keyRoot: KEY_ROOT, clock });
        open.push(cacher);
        let lists = 0;
        store.fault = (call) => (call === 'getList' && lists++ === 0 ? gate.promise : undefined);
        const list = cacher.getList(ALL, { predicate: select({ app: 'web' }) });
        expect((await cacher.get(podKey('a', 'x')))?.attributes.name).to.equal('x');
        const page = cacher.getList(ALL, { limit: 10 });
        const refused = rejection(list);
        await settle();
        await clock.advance(3000);
        const error = await refused;
        expect(isStorageError(error, 'NotReady')).to.equal(true);
        expect((error as Error).message).to.equal('storage is (re)initializing');
        expect(names(await page)).to.deep.equal(['x']);
        gate.resolve();
        expect(await cacher.waitReady(1000)).to.equal(true);
      },
    );
  });

  describe('watch', () => {
    it('sends the state and then what happens', async () => {
      const { store, cacher } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x'));
      });
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '0' }, sink);
      await store.create(podKey('b', 'y'), pod('b', 'y'));
      await settle();
      await store.delete(podKey('a', 'x'));
      expect(sink.lines).to.deep.equal(['ADDED a/x@2', 'ADDED b/y@3', 'DELETED a/x@4']);
    });

    it('starts from a revision in the window, and refuses one before it', async () => {
      const { store, cacher } = await fixture(async (s) => {
        s.bump();
        s.bump();
      });
      const { revision } = store;
      await store.create(podKey('a', 'x'), pod('a', 'x'));
      await store.create(podKey('a', 'y'), pod('a', 'y'));
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: String(revision + 1) }, sink);
      await settle();
      expect(sink.lines).to.deep.equal([`ADDED a/y@${revision + 2}`]);
      const error = await rejection(cacher.watch(ALL, { resourceVersion: String(revision - 1) }, new Recorder()));
      expect(isStorageError(error, 'ResourceExpired')).to.equal(true);
      expect((error as Error).message).to.equal(`too old resource version: ${revision - 1} (${revision})`);
    });

    it('turns changes into what a selection sees, and shares the events among its watchers', async () => {
      const { store, cacher } = await fixture();
      const web = [new Recorder(), new Recorder()];
      const all = new Recorder();
      for (const sink of web)
        await cacher.watch(ALL, { resourceVersion: '0', predicate: select({ app: 'web' }) }, sink);
      await cacher.watch(ALL, { resourceVersion: '0' }, all);
      await settle();
      const key = podKey('a', 'x');
      await store.create(key, pod('a', 'x'));
      for (const labels of [{ app: 'web' }, { app: 'web', tier: '1' }, {}])
        await store.guaranteedUpdate(key, () => ({ object: pod('a', 'x', { labels }) }));
      await store.delete(key);
      expect(all.lines).to.deep.equal([
        'ADDED a/x@2',
        'MODIFIED a/x@3',
        'MODIFIED a/x@4',
        'MODIFIED a/x@5',
        'DELETED a/x@6',
      ]);
      expect(web[0]!.lines).to.deep.equal(['ADDED a/x@3', 'MODIFIED a/x@4', 'DELETED a/x@5']);
      expect(web[0]!.events.every((event, i) => event === web[1]!.events[i])).to.equal(true);
      const gone = web[0]!.events[2]!;
      if (gone.type !== 'DELETED') expect.fail();
      expect(gone.record.object().metadata).to.include({ resourceVersion: '5' });
      expect(JSON.parse(Buffer.from(gone.record.json).toString())).to.deep.equal(gone.record.object());
      expect(gone.record.attributes.labels).to.deep.equal({ app: 'web', tier: '1' });
    });

    it('sends a WatchList its state, the end of it, and goes on', async () => {
      const { store, cacher } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x'));
      });
      store.bump();
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '', sendInitialEvents: true, allowWatchBookmarks: true }, sink);
      await settle();
      await store.create(podKey('a', 'y'), pod('a', 'y'));
      expect(sink.lines).to.deep.equal(['ADDED a/x@2', 'BOOKMARK@3 end', 'ADDED a/y@4']);
    });

    it('sends only what comes when initial events are declined', async () => {
      const { store, cacher } = await fixture(async (s) => {
        await s.create(podKey('a', 'x'), pod('a', 'x'));
      });
      const sink = new Recorder();
      await cacher.watch(ALL, { resourceVersion: '', sendInitialEvents: false }, sink);
      await store.create(podKey('a', 'y'), pod('a', 'y'));
      await settle();
      expect(sink.lines).to.deep.equal(['ADDED a/y@3']);
    });

    it('stops at once, with exactly one end', async () => {
      const { store, cacher } = await fixture();
      const sink = new Recorder();
      const watch = await cacher.watch(ALL, { resourceVersion: '0' }, sink);
      await settle();
      await store.create(podKey('a', 'x'), pod('a', 'x'));
      watch.stop();
      watch.stop();
      await store.create(podKey('a', 'y'), pod('a', 'y'));
      expect(sink.lines).to.deep.equal(['ADDED a/x@2']);
      expect(sink.ends).to.equal(1);
      expect(cacher.describe().watchers.total).to.equal(0);
    });
  });
});
