import { expect } from 'chai';
import type { ObjectRecord } from '../../storage/interfaces.ts';
import { Contract } from './contract-storage.ts';
import type { NewStorage } from './contract-storage.ts';
import { jsonOf } from './pods.ts';
import { rejection } from './rejection.ts';

class DeletionRefused extends Error {}

/** delete. */
export function deleteContract(newStorage: NewStorage): void {
  describe('delete', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    it('resolves to the deleted object under the revision of the deletion', async () => {
      const created = await c.create('a', { labels: { app: 'x' } });
      const deleted = await c.storage.delete(c.key('a'));
      expect(deleted.revision).to.be.above(created.revision);
      expect(jsonOf(deleted).metadata?.resourceVersion).to.equal(String(deleted.revision));
      expect(deleted.object().metadata?.resourceVersion).to.equal(String(deleted.revision));
      expect(deleted.attributes.labels).to.deep.equal({ app: 'x' });
      expect(created.object().metadata?.resourceVersion, 'the record before is unchanged').to.equal(
        String(created.revision),
      );
      await rejection(c.storage.get(c.key('a')), 'KeyNotFound');
    });

    it('rejects a missing key', async () => {
      await rejection(c.storage.delete(c.key('a')), 'KeyNotFound');
      const gone = await c.create('a');
      await c.storage.delete(c.key('a'));
      await rejection(c.storage.delete(c.key('a'), { cached: gone }), 'KeyNotFound');
    });

    it('deletes one key only', async () => {
      await c.create('a');
      await c.create('ab');
      await c.storage.delete(c.key('a'));
      expect(await c.storage.get(c.key('ab'))).to.not.equal(undefined);
    });

    it('checks preconditions', async () => {
      const created = await c.create('a', { uid: 'one' });
      const error = await rejection(c.storage.delete(c.key('a'), { preconditions: { uid: 'two' } }), 'InvalidObject');
      expect(error.message).to.include(
        'AdditionalErrorMsg: Precondition failed: UID in precondition: two, UID in object meta: one',
      );
      await rejection(
        c.storage.delete(c.key('a'), { preconditions: { uid: 'one', resourceVersion: String(created.revision + 1) } }),
        'InvalidObject',
      );
      await c.storage.delete(c.key('a'), { preconditions: { uid: 'one', resourceVersion: String(created.revision) } });
    });

    it('deletes the current object with a stale cached record', async () => {
      const stale = await c.create('a');
      const updated = await c.update('a', { labels: { v: '2' } });
      const deleted = await c.storage.delete(c.key('a'), { cached: stale });
      expect(deleted.revision).to.be.above(updated.revision);
      expect(deleted.attributes.labels).to.deep.equal({ v: '2' });
    });

    it('believes a failed precondition on a cached record only when it is current', async () => {
      const stale = await c.create('a', { uid: 'one' });
      await c.storage.delete(c.key('a'));
      await c.create('a', { uid: 'two' });
      await rejection(c.storage.delete(c.key('a'), { preconditions: { uid: 'one' }, cached: stale }), 'InvalidObject');
      await c.storage.delete(c.key('a'), { preconditions: { uid: 'two' }, cached: stale });
    });

    it('lets validation refuse, and passes on its error', async () => {
      await c.create('a');
      let thrown: unknown;
      await c.storage
        .delete(c.key('a'), {
          validate: () => {
            throw new DeletionRefused('no');
          },
        })
        .catch((error: unknown) => {
          thrown = error;
        });
      expect(thrown).to.be.instanceOf(DeletionRefused);
      expect(await c.storage.get(c.key('a'))).to.not.equal(undefined);
    });

    it('validates again what is there when a cached record was stale', async () => {
      const stale = await c.create('a');
      const updated = await c.update('a', { labels: { v: '2' } });
      const seen: number[] = [];
      const validate = (record: ObjectRecord): void => {
        seen.push(record.revision);
        if (record.revision === stale.revision) throw new DeletionRefused('stale');
      };
      await c.storage.delete(c.key('a'), { cached: stale, validate });
      expect(seen.at(-1)).to.equal(updated.revision);
    });

    it('validates again when somebody changes the object in between', async () => {
      await c.create('a');
      const seen: (Readonly<Record<string, string>> | undefined)[] = [];
      await c.storage.delete(c.key('a'), {
        validate: async (record) => {
          seen.push(record.attributes.labels);
          if (seen.length === 1) await c.update('a', { labels: { v: '2' } });
        },
      });
      expect(seen.at(-1)).to.deep.equal({ v: '2' });
      expect(seen.length).to.be.above(1);
    });
  });
}
