import { expect } from 'chai';
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
      expect(list.items).to.deep.equal([]);
      expect(list.continue).to.equal('');
      expect(list.remainingItemCount).to.equal(undefined);
      expect(Number(list.resourceVersion)).to.be.above(0);
    });

    it('is in key order and consistent with every acknowledged write', async () => {
      for (const name of ['b', 'c', 'a']) await c.create(name);
      await c.create('z', { namespace: 'a-ns' });
      const last = await c.create('ä');
      const list = await c.storage.getList(c.prefix());
      expect(namesOf(list.items)).to.deep.equal(['z', 'a', 'b', 'c', 'ä']);
      expect(Number(list.resourceVersion)).to.be.at.least(last.revision);
      await c.storage.delete(c.key('b'));
      expect(namesOf((await c.storage.getList(c.prefix())).items)).to.deep.equal(['z', 'a', 'c', 'ä']);
    });

    it('lists one namespace and does not mix up prefixes', async () => {
      await c.create('a', { namespace: 'one' });
      await c.create('b', { namespace: 'one-more' });
      expect(namesOf((await c.storage.getList(c.prefix('one'))).items)).to.deep.equal(['a']);
      expect(
        namesOf((await c.storage.getList(c.prefix('one').slice(0, -1))).items),
        'the final slash is put in',
      ).to.deep.equal(['a']);
      expect(namesOf((await c.storage.getList(c.prefix('none'))).items)).to.deep.equal([]);
    });

    it('lists a single key', async () => {
      await c.create('a');
      await c.create('ab');
      expect(namesOf((await c.storage.getList(c.key('a'), { recursive: false })).items)).to.deep.equal(['a']);
      const missing = await c.storage.getList(c.key('x'), { recursive: false });
      expect(missing.items).to.deep.equal([]);
      expect(Number(missing.resourceVersion)).to.be.above(0);
      expect(
        namesOf(
          (await c.storage.getList(c.key('a'), { recursive: false, predicate: fieldIs('metadata.name', 'b') })).items,
        ),
      ).to.deep.equal([]);
    });

    it('selects by labels and fields', async () => {
      await c.create('a', { labels: { app: 'x' }, nodeName: 'n1' });
      await c.create('b', { labels: { app: 'y' }, nodeName: 'n1' });
      await c.create('d');
      expect(namesOf((await c.storage.getList(c.prefix(), { predicate: labelIs('app', 'x') })).items)).to.deep.equal([
        'a',
      ]);
      expect(
        namesOf((await c.storage.getList(c.prefix(), { predicate: fieldIs('spec.nodeName', 'n1') })).items),
      ).to.deep.equal(['a', 'b']);
      expect(
        namesOf((await c.storage.getList(c.prefix(), { predicate: fieldIs('metadata.name', 'd') })).items),
      ).to.deep.equal(['d']);
    });

    it('shows the past at an exact resourceVersion', async () => {
      const first = await c.create('a');
      const second = await c.create('b');
      await c.storage.delete(c.key('a'));
      const exact = (revision: number): ReturnType<typeof c.storage.getList> =>
        c.storage.getList(c.prefix(), { resourceVersion: String(revision), resourceVersionMatch: 'Exact' });
      const past = await exact(first.revision);
      expect(namesOf(past.items)).to.deep.equal(['a']);
      expect(past.resourceVersion).to.equal(String(first.revision));
      expect(namesOf((await exact(second.revision)).items)).to.deep.equal(['a', 'b']);
    });

    it('is at least as fresh as a resourceVersion with NotOlderThan, and with no match', async () => {
      const first = await c.create('a');
      const second = await c.create('b');
      for (const resourceVersionMatch of ['NotOlderThan', ''] as const) {
        const list = await c.storage.getList(c.prefix(), {
          resourceVersion: String(second.revision),
          resourceVersionMatch,
        });
        expect(namesOf(list.items)).to.deep.equal(['a', 'b']);
        const older = await c.storage.getList(c.prefix(), {
          resourceVersion: String(first.revision),
          resourceVersionMatch,
        });
        expect(Number(older.resourceVersion)).to.be.at.least(first.revision);
        expect(namesOf(older.items)).to.include('a');
      }
    });

    it('answers from any state at resourceVersion 0', async () => {
      await c.create('a');
      const list = await c.storage.getList(c.prefix(), { resourceVersion: '0' });
      expect(Number(list.resourceVersion)).to.be.above(0);
      expect(list.items.length).to.be.at.most(1);
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
        expect(error.message).to.match(new RegExp(`^Too large resource version: ${resourceVersion}, current: \\d+$`));
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
      expect(list.items).to.have.lengthOf(count);
      const names = namesOf(list.items);
      expect(names).to.deep.equal([...names].sort());
    });
  });
}
