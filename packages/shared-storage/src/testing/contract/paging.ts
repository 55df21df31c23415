import { expect } from 'chai';
import { encodeContinue } from '../../storage/continue-token.ts';
import { Contract } from './contract-storage.ts';
import type { ContractTraits, NewStorage } from './contract-storage.ts';
import { namesOf } from './pods.ts';
import { labelIs } from './predicates.ts';
import { rejection } from './rejection.ts';

/** getList with limit and continue. */
export function pagingContract(newStorage: NewStorage, traits: ContractTraits): void {
  describe('paging', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
      for (const name of ['a', 'b', 'd', 'e', 'f'])
        await c.create(name, { labels: { half: name < 'd' ? 'first' : 'second' } });
    });
    afterEach(() => c.close());

    it('goes through all pages at the revision of the first', async () => {
      const first = await c.storage.getList(c.prefix(), { limit: 2 });
      expect(namesOf(first.items)).to.deep.equal(['a', 'b']);
      expect(first.remainingItemCount).to.equal(3);
      expect(first.continue).to.not.equal('');
      // Changes after the first page show in none of the others.
      await c.create('c');
      await c.storage.delete(c.key('e'));
      const second = await c.storage.getList(c.prefix(), { limit: 2, continue: first.continue });
      expect(namesOf(second.items)).to.deep.equal(['d', 'e']);
      expect(second.remainingItemCount).to.equal(1);
      expect(second.resourceVersion).to.equal(first.resourceVersion);
      const third = await c.storage.getList(c.prefix(), { limit: 2, continue: second.continue });
      expect(namesOf(third.items)).to.deep.equal(['f']);
      expect(third.continue).to.equal('');
      expect(third.remainingItemCount).to.equal(undefined);
      expect(third.resourceVersion).to.equal(first.resourceVersion);
    });

    it('ends with a page that is just full', async () => {
      const list = await c.storage.getList(c.prefix(), { limit: 5 });
      expect(list.items).to.have.lengthOf(5);
      expect(list.continue).to.equal('');
      expect(list.remainingItemCount).to.equal(undefined);
    });

    it('gives the rest when the limit is left out', async () => {
      const first = await c.storage.getList(c.prefix(), { limit: 1 });
      const rest = await c.storage.getList(c.prefix(), { continue: first.continue });
      expect(namesOf(rest.items)).to.deep.equal(['b', 'd', 'e', 'f']);
      expect(rest.continue).to.equal('');
    });

    it('uses tokens as upstream writes them', async () => {
      const first = await c.storage.getList(c.prefix(), { limit: 2 });
      const token = JSON.parse(Buffer.from(first.continue, 'base64url').toString('utf8')) as unknown;
      // A cache's have a slash in front.
      expect(['ns/b\0', '/ns/b\0']).to.include((token as { readonly start: string }).start);
      expect(token).to.deep.include({ v: 'meta.k8s.io/v1', rv: Number(first.resourceVersion) });
      expect(first.continue).to.not.include('=');
    });

    it('fills pages that a selector thins out, and counts nothing', async () => {
      const first = await c.storage.getList(c.prefix(), { limit: 2, predicate: labelIs('half', 'second') });
      expect(namesOf(first.items)).to.deep.equal(['d', 'e']);
      expect(first.remainingItemCount).to.equal(undefined);
      const second = await c.storage.getList(c.prefix(), {
        limit: 2,
        predicate: labelIs('half', 'second'),
        continue: first.continue,
      });
      expect(namesOf(second.items)).to.deep.equal(['f']);
      expect(second.continue).to.equal('');
    });

    it('pages one namespace', async () => {
      await c.create('x', { namespace: 'other' });
      const first = await c.storage.getList(c.prefix('ns'), { limit: 3 });
      expect(first.remainingItemCount).to.equal(2);
      const second = await c.storage.getList(c.prefix('ns'), { limit: 3, continue: first.continue });
      expect(namesOf(second.items)).to.deep.equal(['e', 'f']);
    });

    it('starts at an exact resourceVersion', async () => {
      const { resourceVersion } = await c.storage.getList(c.prefix(), { limit: 1 });
      await c.storage.delete(c.key('b'));
      for (const resourceVersionMatch of ['Exact', ''] as const) {
        if (resourceVersionMatch === '' && traits.cached === true) continue;
        const first = await c.storage.getList(c.prefix(), { limit: 2, resourceVersion, resourceVersionMatch });
        expect(namesOf(first.items)).to.deep.equal(['a', 'b']);
        expect(first.resourceVersion).to.equal(resourceVersion);
        expect(first.remainingItemCount).to.equal(3);
      }
    });

    it('goes on at the latest revision with a negative one', async () => {
      await c.storage.delete(c.key('d'));
      const list = await c.storage.getList(c.prefix(), { continue: encodeContinue(c.key('b'), c.prefix(), -1) });
      expect(namesOf(list.items)).to.deep.equal(['e', 'f']);
    });

    const invalidTokens: readonly { readonly name: string; readonly token: string; readonly message: RegExp }[] = [
      {
        name: 'not base64url',
        token: '!',
        message: /^invalid continue token: continue key is not valid: illegal base64 data at input byte 0$/,
      },
      {
        name: 'another version',
        token: tokenOf({ v: 'meta.k8s.io/v2', rv: 1, start: 'x' }),
        message:
          /^invalid continue token: continue key is not valid: server does not recognize this encoded version meta.k8s.io\/v2$/,
      },
      {
        name: 'no revision',
        token: tokenOf({ v: 'meta.k8s.io/v1', rv: 0, start: 'x' }),
        message: /incorrect encoded start resourceVersion \(version meta.k8s.io\/v1\)$/,
      },
      {
        name: 'no start key',
        token: tokenOf({ v: 'meta.k8s.io/v1', rv: 1, start: '' }),
        message: /encoded start key empty \(version meta.k8s.io\/v1\)$/,
      },
      {
        name: 'a start key that leads elsewhere',
        token: tokenOf({ v: 'meta.k8s.io/v1', rv: 1, start: '../secrets/x' }),
        message: /^invalid continue token: continue key is not valid: \.\.\/secrets\/x$/,
      },
    ];
    for (const { name, token, message } of invalidTokens) {
      it(`refuses a token with ${name}`, async () => {
        expect(
          (await rejection(c.storage.getList(c.prefix(), { continue: token }), 'InvalidContinue')).message,
        ).to.match(message);
      });
    }

    it('refuses a resourceVersion beside a token', async () => {
      const first = await c.storage.getList(c.prefix(), { limit: 2 });
      const error = await rejection(
        c.storage.getList(c.prefix(), {
          limit: 2,
          continue: first.continue,
          resourceVersion: first.resourceVersion,
          resourceVersionMatch: 'Exact',
        }),
        'InvalidContinue',
      );
      expect(error.message).to.equal('specifying resource version is not allowed when using continue');
    });
  });
}

function tokenOf(token: object): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}
