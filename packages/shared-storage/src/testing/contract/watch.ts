import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { Contract } from './contract-storage.ts';
import type { ContractTraits, NewStorage } from './contract-storage.ts';
import { jsonOf } from './pods.ts';
import { fieldIs, labelIs } from './predicates.ts';

/** watch from a revision. */
export function watchContract(newStorage: NewStorage, traits: ContractTraits): void {
  describe('watch', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    it('delivers what happens after a revision, each change once and in order', async () => {
      const created = await c.create('a');
      const { watch, events } = await c.watch({ resourceVersion: String(created.revision) });
      const updated = await c.update('a', { labels: { v: '2' } });
      const other = await c.create('b');
      const deleted = await c.storage.delete(c.key('a'));
      const seen = await events.take(3);
      expect(events.summaries()).to.deep.equal(['MODIFIED a', 'ADDED b', 'DELETED a']);
      expect(seen.map((event) => ('record' in event ? event.record.revision : 0))).to.deep.equal([
        updated.revision,
        other.revision,
        deleted.revision,
      ]);
      watch.stop();
      expect(events.ended).to.equal(1);
    });

    it('catches up with the past', async () => {
      const { revision } = await c.create('a');
      // A cache knows the past from its first use on.
      await c.storage.getList(c.prefix());
      await c.update('a', { labels: { v: '2' } });
      await c.storage.delete(c.key('a'));
      await c.create('a');
      const { watch, events } = await c.watch({ resourceVersion: String(revision) });
      expect(await events.changes(3)).to.deep.equal(['MODIFIED a', 'DELETED a', 'ADDED a']);
      watch.stop();
    });

    it('carries the complete object with its resourceVersion', async () => {
      const { revision } = await c.create('a');
      const { watch, events } = await c.watch({ resourceVersion: String(revision) });
      const updated = await c.update('a', { labels: { v: '2' }, nodeName: 'n' });
      const [event] = await events.take(1);
      expect(event?.type).to.equal('MODIFIED');
      if (event?.type === 'MODIFIED') expect(jsonOf(event.record)).to.deep.equal(jsonOf(updated));
      watch.stop();
    });

    it('gives a deletion the last state under the revision of the deletion', async () => {
      await c.create('a', { labels: { v: '1' } });
      const updated = await c.update('a', { labels: { v: '2' } });
      const { watch, events } = await c.watch({ resourceVersion: String(updated.revision) });
      const deleted = await c.storage.delete(c.key('a'));
      const [event] = await events.take(1);
      if (event?.type !== 'DELETED') return expect.fail(`got ${event?.type}`);
      expect(event.record.revision).to.equal(deleted.revision);
      expect(jsonOf(event.record).metadata?.resourceVersion).to.equal(String(deleted.revision));
      expect(event.record.attributes.labels).to.deep.equal({ v: '2' });
      watch.stop();
    });

    it('sees objects move in and out of its selection', async () => {
      const { revision } = await c.create('other');
      const { watch, events } = await c.watch({ resourceVersion: String(revision), predicate: labelIs('app', 'x') });
      await c.create('a', { labels: { app: 'y' } });
      const entered = await c.update('a', { labels: { app: 'x' } });
      const stayed = await c.update('a', { labels: { app: 'x', v: '2' } });
      const left = await c.update('a', { labels: { app: 'y' } });
      await c.storage.delete(c.key('a'));
      await c.create('b', { labels: { app: 'x' } });
      await c.storage.delete(c.key('b'));
      expect(await events.changes(5)).to.deep.equal(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b', 'DELETED b']);
      const revisions = events.events.map((event) => ('record' in event ? event.record.revision : 0));
      expect(revisions.slice(0, 3)).to.deep.equal([entered.revision, stayed.revision, left.revision]);
      const out = events.events[2];
      if (out?.type === 'DELETED') {
        expect(out.record.attributes.labels, 'the state that was selected').to.deep.equal({ app: 'x', v: '2' });
        expect(jsonOf(out.record).metadata?.resourceVersion).to.equal(String(left.revision));
      }
      watch.stop();
    });

    it('selects by fields', async () => {
      const { revision } = await c.create('other');
      const { watch, events } = await c.watch({
        resourceVersion: String(revision),
        predicate: fieldIs('spec.nodeName', 'n1'),
      });
      await c.create('a', { nodeName: 'n2' });
      await c.create('b', { nodeName: 'n1' });
      await c.update('a', { nodeName: 'n1' });
      expect(await events.changes(2)).to.deep.equal(['ADDED b', 'ADDED a']);
      watch.stop();
    });

    it('watches one namespace, or one key', async () => {
      const { revision } = await c.create('start');
      const namespace = await c.watch({ resourceVersion: String(revision), key: c.prefix('one') });
      const single = await c.watch({ resourceVersion: String(revision), key: c.key('a', 'one'), recursive: false });
      await c.create('a', { namespace: 'two' });
      await c.create('ab', { namespace: 'one' });
      await c.create('a', { namespace: 'one' });
      expect(await namespace.events.changes(2)).to.deep.equal(['ADDED ab', 'ADDED a']);
      expect(await single.events.changes(1)).to.deep.equal(['ADDED a']);
      await c.storage.delete(c.key('a', 'one'));
      expect(await single.events.changes(1)).to.deep.equal(['DELETED a']);
      expect(single.events.events).to.have.lengthOf(2);
      namespace.watch.stop();
      single.watch.stop();
    });

    it('delivers nothing after stop, and ends once', async () => {
      const { revision } = await c.create('a');
      const { watch, events } = await c.watch({ resourceVersion: String(revision) });
      const second = await c.watch({ resourceVersion: String(revision) });
      watch.stop();
      watch.stop();
      await c.update('a', { labels: { v: '2' } });
      await second.events.take(1);
      expect(events.summaries()).to.deep.equal([]);
      expect(events.ended).to.equal(1);
      expect(events.late).to.equal(0);
      expect(events.reason).to.deep.equal({ kind: 'stopped' });
      second.watch.stop();
    });

    it('ends when its signal aborts', async () => {
      const { revision } = await c.create('a');
      const controller = new AbortController();
      const { events } = await c.watch({ resourceVersion: String(revision), signal: controller.signal });
      const reason = new TypeError('the client is gone');
      controller.abort(reason);
      await events.finished();
      expect(events.ended).to.equal(1);
      expect(events.reason).to.deep.equal({ kind: 'stopped', reason });
      expect(events.summaries()).to.deep.equal([]);
    });

    it('ends with the storage', async () => {
      const { revision } = await c.create('a');
      const { events } = await c.watch({ resourceVersion: String(revision) });
      await c.storage.close();
      await events.finished();
      expect(events.reason).to.deep.equal({ kind: 'closed' });
    });

    // A cache asks for itself and sends bookmarks to its watchers in its own time.
    if (traits.cached !== true) {
      it('tells the revision it has reached when asked for progress', async () => {
        const { revision } = await c.create('a');
        const { watch, events } = await c.watch({ resourceVersion: String(revision), allowWatchBookmarks: true });
        await c.update('a', { labels: { v: '2' } });
        expect(await events.changes(1)).to.deep.equal(['MODIFIED a']);
        const reached = await c.otherWrite();
        if ((await c.storage.supportsWatchProgress?.()) === false) {
          await c.storage.requestWatchProgress();
          await delay(100);
          expect(
            events.events.some((event) => event.type === 'BOOKMARK'),
            'an etcd whose answers may be wrong is not asked',
          ).to.equal(false);
          watch.stop();
          return;
        }
        // A watch that is just catching up answers no request, so it is asked again.
        const ask = setInterval(() => {
          void c.storage.requestWatchProgress();
        }, 50);
        try {
          const bookmark = await events.find((event) => event.type === 'BOOKMARK' && event.revision >= reached);
          expect(bookmark.type === 'BOOKMARK' && !bookmark.initialEventsEnd).to.equal(true);
        } finally {
          clearInterval(ask);
        }
        watch.stop();
      });
    }

    it('sends no bookmark to who has not asked for them', async () => {
      const { revision } = await c.create('a');
      const { watch, events } = await c.watch({ resourceVersion: String(revision) });
      await c.storage.requestWatchProgress();
      await delay(50);
      await c.update('a', { labels: { v: '2' } });
      const [event] = await events.take(1);
      expect(event?.type).to.equal('MODIFIED');
      watch.stop();
    });

    it('carries large objects and many at once', async function () {
      this.timeout(120_000);
      const { revision } = await c.create('start');
      const { watch, events } = await c.watch({ resourceVersion: String(revision) });
      const names = Array.from({ length: 12 }, (_, i) => `big-${String(i).padStart(2, '0')}`);
      await Promise.all(names.map((name) => c.create(name, { padding: 500_000 })));
      const seen = await events.changes(names.length);
      expect([...seen].sort()).to.deep.equal(names.map((name) => `ADDED ${name}`));
      watch.stop();
    });

    it('serves many watches at once, each complete and in order', async () => {
      const { revision } = await c.create('start');
      const watches = await Promise.all(
        Array.from({ length: 20 }, () => c.watch({ resourceVersion: String(revision) })),
      );
      for (let i = 0; i < 20; i++) await c.create(`pod-${i}`);
      const expected = Array.from({ length: 20 }, (_, i) => `ADDED pod-${i}`);
      for (const { watch, events } of watches) {
        expect(await events.changes(20)).to.deep.equal(expected);
        watch.stop();
      }
    });
  });
}
