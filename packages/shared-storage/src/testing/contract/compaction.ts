import { expect } from 'chai';
import { Contract } from './contract-storage.ts';
import type { ContractTraits, NewStorage } from './contract-storage.ts';
import { namesOf } from './pods.ts';
import { rejection } from './rejection.ts';

/** Lists at revisions that are no longer kept. */
export function compactionContract(newStorage: NewStorage, traits: ContractTraits): void {
  if (traits.cached === true) return;
  describe('compaction', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
      for (const name of ['a', 'b', 'c']) await c.create(name);
    });
    afterEach(() => c.close());

    /** Makes all revisions before now unreadable. */
    const compact = async (): Promise<void> => {
      await c.update('a', { labels: { v: '2' } });
      await c.client.compact(await c.storage.currentRevision());
    };

    it('expires an exact list', async () => {
      const { resourceVersion } = await c.storage.getList(c.prefix());
      await compact();
      const error = await rejection(
        c.storage.getList(c.prefix(), { resourceVersion, resourceVersionMatch: 'Exact' }),
        'ResourceExpired',
      );
      expect(error.message).to.equal('The resourceVersion for the provided list is too old.');
    });

    it('offers to go on inconsistently when a continue token has expired', async () => {
      const first = await c.storage.getList(c.prefix(), { limit: 1 });
      await c.storage.delete(c.key('b'));
      await compact();
      const error = await rejection(
        c.storage.getList(c.prefix(), { limit: 1, continue: first.continue }),
        'ResourceExpired',
      );
      expect(error.message).to.match(
        /^The provided continue parameter is too old to display a consistent list result\. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results\./,
      );
      const token = JSON.parse(Buffer.from(error.continue ?? '', 'base64url').toString('utf8')) as unknown;
      expect(token).to.deep.equal({ v: 'meta.k8s.io/v1', rv: -1, start: 'ns/a\0' });
      await c.create('d');
      const rest = await c.storage.getList(c.prefix(), { limit: 1, continue: error.continue ?? '' });
      expect(namesOf(rest.items)).to.deep.equal(['c']);
      const last = await c.storage.getList(c.prefix(), { limit: 1, continue: rest.continue });
      expect(namesOf(last.items)).to.deep.equal(['d']);
      expect(last.continue).to.equal('');
    });

    it('leaves the latest state alone', async () => {
      await compact();
      expect(namesOf((await c.storage.getList(c.prefix())).items)).to.deep.equal(['a', 'b', 'c']);
      expect(await c.storage.get(c.key('b'))).to.not.equal(undefined);
      await c.update('b', { labels: { after: 'compaction' } });
    });
  });
}
