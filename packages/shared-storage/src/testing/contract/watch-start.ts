import { expect } from 'chai';
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
        expect(initial).to.have.members(['ADDED a', 'ADDED b']);
        await c.create('c');
        expect(await events.changes(1)).to.deep.equal(['ADDED c']);
        watch.stop();
      });

      it(`starts with nothing where nothing is stored at resourceVersion "${resourceVersion}"`, async () => {
        const { watch, events } = await c.watch({ resourceVersion, key: c.prefix('empty') });
        await c.create('c', { namespace: 'empty' });
        expect(await events.changes(1)).to.deep.equal(['ADDED c']);
        watch.stop();
      });
    }

    it('sends initial events of its selection only', async () => {
      const { watch, events } = await c.watch({ resourceVersion: '', predicate: labelIs('app', 'x') });
      expect(await events.changes(1)).to.deep.equal(['ADDED b']);
      await c.update('a', { labels: { app: 'x' } });
      await c.update('b', { labels: {} });
      expect(await events.changes(2)).to.deep.equal(['ADDED a', 'DELETED b']);
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
        expect(new Set(seen)).to.have.lengthOf(list.items.length);
        expect(seen.every((text) => text.startsWith('ADDED '))).to.equal(true);
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
      expect(bookmark.type === 'BOOKMARK' ? bookmark.revision : 0).to.be.at.least(latest.revision);
      expect(events.events.filter((event) => event.type !== 'BOOKMARK').map(summary)).to.have.members([
        'ADDED a',
        'ADDED b',
        'ADDED c',
      ]);
      const updated = await c.update('a', { labels: { v: '2' } });
      const next = await events.find((event) => event.type !== 'BOOKMARK');
      expect(next.type).to.equal('MODIFIED');
      expect('record' in next ? next.record.revision : 0).to.equal(updated.revision);
      watch.stop();
    });

    it('sends initial events at least as fresh as a resourceVersion', async () => {
      const latest = await c.create('c');
      const { watch, events } = await c.watch({
        resourceVersion: String(latest.revision),
        sendInitialEvents: true,
        allowWatchBookmarks: true,
      });
      expect(await events.changes(3)).to.have.members(['ADDED a', 'ADDED b', 'ADDED c']);
      watch.stop();
    });

    it('starts from now without initial events when they are declined', async () => {
      const { watch, events } = await c.watch({ resourceVersion: '', sendInitialEvents: false });
      await c.create('c');
      expect(await events.changes(1)).to.deep.equal(['ADDED c']);
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
      expect(isStorageError(failure, 'TooLargeResourceVersion'), String(failure)).to.equal(true);
    });

    it('waits for a revision of the future without initial events', async () => {
      const { revision } = await c.create('c');
      const { watch, events } = await c.watch({ resourceVersion: String(revision + 1) });
      await c.create('d');
      await c.create('e');
      expect(await events.changes(1)).to.deep.equal(['ADDED e']);
      watch.stop();
    });

    if (traits.cached !== true) {
      it('fails with "too old" when its revision is compacted', async () => {
        const { revision } = await c.create('c');
        for (let i = 0; i < 3; i++) await c.update('a', { labels: { v: String(i) } });
        const last = await c.create('d');
        await c.client.compact(last.revision);
        const failure = await failureOf(c, { resourceVersion: String(revision) });
        expect(isStorageError(failure, 'ResourceExpired'), String(failure)).to.equal(true);
        expect(failure instanceof Error ? failure.message : '').to.equal(
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
        expect(events.events, 'nothing is pushed at a full receiver').to.have.lengthOf(1);
        for (let i = 2; i <= names.length + 1; i++) {
          events.capacity = i;
          watch.drained();
          await events.take(1);
          expect(events.events).to.have.lengthOf(i);
        }
        expect(events.summaries().slice(1)).to.deep.equal(names.map((name) => `ADDED ${name}`));
        watch.stop();
      });

      it('waits with the initial state while the receiver is full', async () => {
        const { watch, events } = await c.watch({ resourceVersion: '', capacity: 1 });
        await events.take(1);
        expect(events.events).to.have.lengthOf(1);
        events.capacity = Infinity;
        watch.drained();
        await events.take(1);
        await c.create('c');
        expect(await events.changes(1)).to.deep.equal(['ADDED c']);
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
