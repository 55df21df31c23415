import { assert } from 'chai';
import { Contract } from './contract-storage.ts';
import type { ContractTraits, NewStorage } from './contract-storage.ts';
import { summary } from './watch-recorder.ts';
import { isStorageError } from '../../storage/errors.ts';
import { labelIs } from './predicates.ts';

/** How a watch starts: from now, from 0, with initial events, from a revision that is gone or has not come. */
export function watchStartContract(newStorage: NewStorage, traits: ContractTraits): void {
  describe('watch start', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
      await c.create('b', { labels: { app: 'x' } });
      await c.create('a');
    });
    afterEach(() => c.close());

    for (const resourceVersion of ['', '0']) {
      it(`sends what is stored first at resourceVersion "${resourceVersion}"`, async () => {
        const { watch, events } = await c.watch({ resourceVersion });
        const initial = await events.changes(2);
        assert.sameMembers(initial, ['ADDED a', 'ADDED b']);
        await c.create('c');
        assert.deepEqual(await events.changes(1), ['ADDED c']);
        watch.stop();
      });

      it(`starts with nothing where nothing is stored at resourceVersion "${resourceVersion}"`, async () => {
        const { watch, events } = await c.watch({ resourceVersion, key: c.prefix('empty') });
        await c.create('c', { namespace: 'empty' });
        assert.deepEqual(await events.changes(1), ['ADDED c']);
        watch.stop();
      });
    }

    it('sends initial events of its selection only', async () => {
      const { watch, events } = await c.watch({ resourceVersion: '', predicate: labelIs('app', 'x') });
      assert.deepEqual(await events.changes(1), ['ADDED b']);
      await c.update('a', { labels: { app: 'x' } });
      await c.update('b', { labels: {} });
      assert.deepEqual(await events.changes(2), ['ADDED a', 'DELETED b']);
      watch.stop();
    });

    it('misses and repeats nothing around the initial state', async () => {
      let stop = false;
      const writer = (async () => {
        for (let i = 0; !stop; i++) await c.create(`w-${String(i).padStart(4, '0')}`);
      })();
      const watches = [];
      for (let i = 0; i < 5; i++) watches.push(await c.watch({ resourceVersion: '' }));
      stop = true;
      await writer;
      const list = await c.storage.getList(c.prefix());
      for (const { watch, events } of watches) {
        const seen = await events.changes(list.items.length);
        assert.lengthOf(new Set(seen), list.items.length);
        assert.isTrue(seen.every((text) => text.startsWith('ADDED ')));
        watch.stop();
      }
    });

    it('ends initial events with a bookmark when they were asked for', async () => {
      const latest = await c.create('c');
      const { watch, events } = await c.watch({
        resourceVersion: '',
        sendInitialEvents: true,
        allowWatchBookmarks: true,
      });
      const bookmark = await events.find((event) => event.type === 'BOOKMARK' && event.initialEventsEnd);
      assert.isAtLeast(bookmark.type === 'BOOKMARK' ? bookmark.revision : 0, latest.revision);
      assert.sameMembers(events.events.filter((event) => event.type !== 'BOOKMARK').map(summary), [
        'ADDED a',
        'ADDED b',
        'ADDED c',
      ]);
      const updated = await c.update('a', { labels: { v: '2' } });
      const next = await events.find((event) => event.type !== 'BOOKMARK');
      assert.equal(next.type, 'MODIFIED');
      assert.equal('record' in next ? next.record.revision : 0, updated.revision);
      watch.stop();
    });

    it('sends initial events at least as fresh as a resourceVersion', async () => {
      const latest = await c.create('c');
      const { watch, events } = await c.watch({
        resourceVersion: String(latest.revision),
        sendInitialEvents: true,
        allowWatchBookmarks: true,
      });
      assert.sameMembers(await events.changes(3), ['ADDED a', 'ADDED b', 'ADDED c']);
      watch.stop();
    });

    it('starts from now without initial events when they are declined', async () => {
      const { watch, events } = await c.watch({ resourceVersion: '', sendInitialEvents: false });
      await c.create('c');
      assert.deepEqual(await events.changes(1), ['ADDED c']);
      watch.stop();
    });

    it('refuses initial events of the future', async function () {
      this.timeout(120_000);
      const { revision } = await c.create('c');
      const failure = await failureOf(c, {
        resourceVersion: String(revision + 1_000_000),
        sendInitialEvents: true,
        allowWatchBookmarks: true,
      });
      assert.isTrue(isStorageError(failure, 'TooLargeResourceVersion'), String(failure));
    });

    it('waits for a revision of the future without initial events', async () => {
      const { revision } = await c.create('c');
      const { watch, events } = await c.watch({ resourceVersion: String(revision + 1) });
      await c.create('d');
      await c.create('e');
      assert.deepEqual(await events.changes(1), ['ADDED e']);
      watch.stop();
    });

    if (traits.cached !== true) {
      it('fails with "too old" when its revision is compacted', async () => {
        const { revision } = await c.create('c');
        for (let i = 0; i < 3; i++) await c.update('a', { labels: { v: String(i) } });
        const last = await c.create('d');
        await c.client.compact(last.revision);
        const failure = await failureOf(c, { resourceVersion: String(revision) });
        assert.isTrue(isStorageError(failure, 'ResourceExpired'), String(failure));
        assert.equal(
          failure instanceof Error ? failure.message : '',
          'The resourceVersion for the provided watch is too old.',
        );
      });

      it('keeps its place while the receiver is full, and loses nothing', async function () {
        this.timeout(120_000);
        const { revision } = await c.create('c');
        const { watch, events } = await c.watch({ resourceVersion: String(revision), capacity: 1 });
        await c.create('first');
        await events.take(1);
        const names = Array.from({ length: 40 }, (_, i) => `pod-${String(i).padStart(2, '0')}`);
        for (const name of names) await c.create(name, { padding: 200_000 });
        assert.lengthOf(events.events, 1, 'nothing is pushed at a full receiver');
        for (let i = 2; i <= names.length + 1; i++) {
          events.capacity = i;
          watch.drained();
          await events.take(1);
          assert.lengthOf(events.events, i);
        }
        assert.deepEqual(
          events.summaries().slice(1),
          names.map((name) => `ADDED ${name}`),
        );
        watch.stop();
      });

      it('waits with the initial state while the receiver is full', async () => {
        const { watch, events } = await c.watch({ resourceVersion: '', capacity: 1 });
        await events.take(1);
        assert.lengthOf(events.events, 1);
        events.capacity = Infinity;
        watch.drained();
        await events.take(1);
        await c.create('c');
        assert.deepEqual(await events.changes(1), ['ADDED c']);
        watch.stop();
      });
    }
  });
}

/** How a watch fails: its promise rejects, or it ends with an ERROR event. */
async function failureOf(c: Contract, options: Parameters<Contract['watch']>[0]): Promise<unknown> {
  try {
    const { events } = await c.watch(options);
    const event = await events.find(({ type }) => type === 'ERROR');
    await events.finished();
    return event.type === 'ERROR' ? event.error : undefined;
  } catch (error) {
    return error;
  }
}
