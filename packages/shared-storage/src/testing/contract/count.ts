import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { Contract } from './contract-storage.ts';
import type { NewStorage } from './contract-storage.ts';

/** count, currentRevision, readinessCheck. */
export function countContract(newStorage: NewStorage): void {
  describe('count and revision', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    it('counts the keys under a prefix', async () => {
      expect(await c.storage.count(c.prefix())).to.equal(0);
      await c.create('a', { namespace: 'one' });
      await c.create('b', { namespace: 'one' });
      await c.create('c', { namespace: 'two' });
      await c.storage.delete(c.key('b', 'one'));
      // A cache may be a moment behind.
      const deadline = Date.now() + 2_000;
      while ((await c.storage.count(c.prefix())) !== 2 && Date.now() < deadline) await delay(10);
      expect(await c.storage.count(c.prefix())).to.equal(2);
      expect(await c.storage.count(c.prefix('one'))).to.equal(1);
    });

    it('tells a revision that is not older than any write before', async () => {
      const { revision } = await c.create('a');
      expect(await c.storage.currentRevision()).to.be.at.least(revision);
      const other = await c.otherWrite();
      expect(await c.storage.currentRevision()).to.be.at.least(other);
    });

    it('is ready', async () => {
      await c.storage.getList(c.prefix());
      await c.storage.readinessCheck();
    });
  });
}
