import { expect } from 'chai';
import { Contract } from './contract-storage.ts';
import type { NewStorage } from './contract-storage.ts';
import { rejection } from './rejection.ts';

/** get. */
export function getContract(newStorage: NewStorage): void {
  describe('get', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    it('sees every acknowledged write', async () => {
      const created = await c.create('a');
      expect((await c.storage.get(c.key('a')))?.revision).to.equal(created.revision);
      for (let i = 0; i < 10; i++) {
        const updated = await c.update('a', { labels: { i: String(i) } });
        const read = await c.storage.get(c.key('a'));
        expect(read?.revision).to.equal(updated.revision);
        expect(read?.attributes.labels).to.deep.equal({ i: String(i) });
      }
      await c.storage.delete(c.key('a'));
      await rejection(c.storage.get(c.key('a')), 'KeyNotFound');
    });

    it('sees what others write', async () => {
      const created = await c.create('a');
      const { kvs } = await c.client.range({ key: c.key('a') });
      const value = Buffer.from(kvs[0]?.value.toString('utf8').replace('"uid-a"', '"changed"') ?? '');
      const { revision } = await c.client.put({ key: c.key('a'), value });
      expect(revision).to.be.above(created.revision);
      const read = await c.storage.get(c.key('a'));
      expect(read?.revision).to.equal(revision);
      expect(read?.object().metadata?.uid).to.equal('changed');
    });

    it("rejects a missing key with upstream's text, or resolves to undefined", async () => {
      const error = await rejection(c.storage.get(c.key('a')), 'KeyNotFound');
      expect(error.message).to.equal(
        `StorageError: key not found, Code: 1, Key: ${c.key('a')}, ResourceVersion: 0, AdditionalErrorMsg: <nil>`,
      );
      expect(await c.storage.get(c.key('a'), { ignoreNotFound: true })).to.equal(undefined);
    });

    it('does not take a prefix for a key', async () => {
      await c.create('ab');
      await rejection(c.storage.get(c.key('a')), 'KeyNotFound');
    });

    it('is at least as fresh as a resourceVersion', async () => {
      const first = await c.create('a');
      const second = await c.update('a', { labels: { v: '2' } });
      expect((await c.storage.get(c.key('a'), { resourceVersion: String(second.revision) }))?.revision).to.equal(
        second.revision,
      );
      const older = await c.storage.get(c.key('a'), { resourceVersion: String(first.revision) });
      expect(older?.revision ?? 0).to.be.at.least(first.revision);
    });

    it('answers from any state at resourceVersion 0', async () => {
      await c.create('a');
      const record = await c.storage.get(c.key('a'), { resourceVersion: '0', ignoreNotFound: true });
      expect(record?.attributes.name).to.be.oneOf(['a', undefined]);
    });

    it('refuses a resourceVersion of the future and tells the current one', async function () {
      this.timeout(120_000);
      const { revision } = await c.create('a');
      const error = await rejection(
        c.storage.get(c.key('a'), { resourceVersion: String(revision + 1_000_000) }),
        'TooLargeResourceVersion',
      );
      expect(error.message).to.match(
        new RegExp(`^Too large resource version: ${revision + 1_000_000}, current: \\d+$`),
      );
    });

    it('refuses a resourceVersion that is no number', async () => {
      const error = await rejection(c.storage.get(c.key('a'), { resourceVersion: 'abc' }), 'InvalidResourceVersion');
      expect(error.message).to.match(
        /^(invalid resource version: )?resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax$/,
      );
    });
  });
}
