import { assert } from 'chai';
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
      assert.equal(error.message, 'The resourceVersion for the provided list is too old.');
    });

    it('offers to go on inconsistently when a continue token has expired', async () => {
      const first = await c.storage.getList(c.prefix(), { limit: 1 });
      await c.storage.delete(c.key('b'));
      await compact();
      const error = await rejection(
        c.storage.getList(c.prefix(), { limit: 1, continue: first.continue }),
        'ResourceExpired',
      );
      assert.match(
        error.message,
        /^The provided continue parameter is too old to display a consistent list result\. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results\./,
      );
      const token = JSON.parse(Buffer.from(error.continue ?? '', 'base64url').toString('utf8')) as unknown;
      assert.deepEqual(token, { v: 'meta.k8s.io/v1', rv: -1, start: 'ns/a\0' });
      await c.create('d');
      const rest = await c.storage.getList(c.prefix(), { limit: 1, continue: error.continue ?? '' });
      assert.deepEqual(namesOf(rest.items), ['c']);
      const last = await c.storage.getList(c.prefix(), { limit: 1, continue: rest.continue });
      assert.deepEqual(namesOf(last.items), ['d']);
      assert.equal(last.continue, '');
    });

    it('leaves the latest state alone', async () => {
      await compact();
      assert.deepEqual(namesOf((await c.storage.getList(c.prefix())).items), ['a', 'b', 'c']);
      assert.isDefined(await c.storage.get(c.key('b')));
      await c.update('b', { labels: { after: 'compaction' } });
    });
  });
}
