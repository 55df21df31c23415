import { assert } from 'chai';
import { Contract } from './contract-storage.ts';
import type { NewStorage } from './contract-storage.ts';
import { namesOf } from './pods.ts';
import { fieldIs, labelIs } from './predicates.ts';
import { rejection } from './rejection.ts';

/** getList without paging. */
export function listContract(newStorage: NewStorage): void {
  describe('list', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    it('is empty, with a resourceVersion, where nothing is stored', async () => {
      const list = await c.storage.getList(c.prefix());
      assert.deepEqual(list.items, []);
      assert.equal(list.continue, '');
      assert.isUndefined(list.remainingItemCount);
      assert.isAbove(Number(list.resourceVersion), 0);
    });

    it('is in key order and consistent with every acknowledged write', async () => {
      for (const name of ['b', 'c', 'a']) await c.create(name);
      await c.create('z', { namespace: 'a-ns' });
      const last = await c.create('ä');
      const list = await c.storage.getList(c.prefix());
      assert.deepEqual(namesOf(list.items), ['z', 'a', 'b', 'c', 'ä']);
      assert.isAtLeast(Number(list.resourceVersion), last.revision);
      await c.storage.delete(c.key('b'));
      assert.deepEqual(namesOf((await c.storage.getList(c.prefix())).items), ['z', 'a', 'c', 'ä']);
    });

    it('lists one namespace and does not mix up prefixes', async () => {
      await c.create('a', { namespace: 'one' });
      await c.create('b', { namespace: 'one-more' });
      assert.deepEqual(namesOf((await c.storage.getList(c.prefix('one'))).items), ['a']);
      assert.deepEqual(
        namesOf((await c.storage.getList(c.prefix('one').slice(0, -1))).items),
        ['a'],
        'the final slash is put in',
      );
      assert.deepEqual(namesOf((await c.storage.getList(c.prefix('none'))).items), []);
    });

    it('lists a single key', async () => {
      await c.create('a');
      await c.create('ab');
      assert.deepEqual(namesOf((await c.storage.getList(c.key('a'), { recursive: false })).items), ['a']);
      const missing = await c.storage.getList(c.key('x'), { recursive: false });
      assert.deepEqual(missing.items, []);
      assert.isAbove(Number(missing.resourceVersion), 0);
      assert.deepEqual(
        namesOf(
          (await c.storage.getList(c.key('a'), { recursive: false, predicate: fieldIs('metadata.name', 'b') })).items,
        ),
        [],
      );
    });

    it('selects by labels and fields', async () => {
      await c.create('a', { labels: { app: 'x' }, nodeName: 'n1' });
      await c.create('b', { labels: { app: 'y' }, nodeName: 'n1' });
      await c.create('d');
      assert.deepEqual(namesOf((await c.storage.getList(c.prefix(), { predicate: labelIs('app', 'x') })).items), ['a']);
      assert.deepEqual(
        namesOf((await c.storage.getList(c.prefix(), { predicate: fieldIs('spec.nodeName', 'n1') })).items),
        ['a', 'b'],
      );
      assert.deepEqual(
        namesOf((await c.storage.getList(c.prefix(), { predicate: fieldIs('metadata.name', 'd') })).items),
        ['d'],
      );
    });

    it('shows the past at an exact resourceVersion', async () => {
      const first = await c.create('a');
      const second = await c.create('b');
      await c.storage.delete(c.key('a'));
      const exact = (revision: number): ReturnType<typeof c.storage.getList> =>
        c.storage.getList(c.prefix(), { resourceVersion: String(revision), resourceVersionMatch: 'Exact' });
      const past = await exact(first.revision);
      assert.deepEqual(namesOf(past.items), ['a']);
      assert.equal(past.resourceVersion, String(first.revision));
      assert.deepEqual(namesOf((await exact(second.revision)).items), ['a', 'b']);
    });

    it('is at least as fresh as a resourceVersion with NotOlderThan, and with no match', async () => {
      const first = await c.create('a');
      const second = await c.create('b');
      for (const resourceVersionMatch of ['NotOlderThan', ''] as const) {
        const list = await c.storage.getList(c.prefix(), {
          resourceVersion: String(second.revision),
          resourceVersionMatch,
        });
        assert.deepEqual(namesOf(list.items), ['a', 'b']);
        const older = await c.storage.getList(c.prefix(), {
          resourceVersion: String(first.revision),
          resourceVersionMatch,
        });
        assert.isAtLeast(Number(older.resourceVersion), first.revision);
        assert.include(namesOf(older.items), 'a');
      }
    });

    it('answers from any state at resourceVersion 0', async () => {
      await c.create('a');
      const list = await c.storage.getList(c.prefix(), { resourceVersion: '0' });
      assert.isAbove(Number(list.resourceVersion), 0);
      assert.isAtMost(list.items.length, 1);
    });

    it('refuses a resourceVersion of the future', async function () {
      this.timeout(120_000);
      const { revision } = await c.create('a');
      const resourceVersion = String(revision + 1_000_000);
      for (const resourceVersionMatch of ['NotOlderThan', 'Exact'] as const) {
        const error = await rejection(
          c.storage.getList(c.prefix(), { resourceVersion, resourceVersionMatch }),
          'TooLargeResourceVersion',
        );
        assert.match(error.message, new RegExp(`^Too large resource version: ${resourceVersion}, current: \\d+$`));
      }
    });

    it('refuses a resourceVersion that is no number', async () => {
      await rejection(
        c.storage.getList(c.prefix(), { resourceVersion: '-1', resourceVersionMatch: 'NotOlderThan' }),
        'InvalidResourceVersion',
      );
    });

    it('lists more than one page of etcd at one revision', async function () {
      this.timeout(120_000);
      const count = 2_500;
      for (let i = 0; i < count; i += 100) {
        await Promise.all(Array.from({ length: 100 }, (_, j) => c.create(`pod-${String(i + j).padStart(5, '0')}`)));
      }
      const list = await c.storage.getList(c.prefix());
      assert.lengthOf(list.items, count);
      const names = namesOf(list.items);
      assert.deepEqual(names, [...names].sort());
    });
  });
}
