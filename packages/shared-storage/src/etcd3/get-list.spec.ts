import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { ResourceCodec } from '../storage/interfaces.ts';
import { isStorageError } from '../storage/errors.ts';
import { pod, podCodec } from '../testing/contract/pods.ts';
import { labelIs } from '../testing/contract/predicates.ts';
import { MemoryStorage } from '../testing/memory-storage.ts';

describe('lists of objects that reading makes larger', () => {
  /** As if defaults added two fifths of what one list may have to each. */
  const codec: ResourceCodec = {
    encode: (object) => podCodec.encode(object),
    decode: (key, value, revision) => podCodec.decode(key, value, revision),
    addedBytes: () => 0.4 * limits.defaultedBytes.value,
  };
  const key = (name: string): string => `/registry/ns/${name}`;
  let storage: MemoryStorage;
  beforeEach(async () => {
    storage = new MemoryStorage(codec);
    for (const name of ['a', 'b'])
      await storage.create(key(name), pod(name, { labels: { part: name === 'b' ? 'other' : 'own' } }));
  });
  afterEach(() => storage.close());

  it('have no more than defaultedBytes each, whoever has the ones before', async () => {
    const kept = [];
    for (let i = 0; i < 5; i++) kept.push(await storage.getList('/registry/'));
    expect(kept.map(({ items }) => items.length)).to.deep.equal([2, 2, 2, 2, 2]);
    expect(kept[0]?.addedBytes).to.equal(0.8 * limits.defaultedBytes.value);

    await storage.create(key('c'), pod('c', { labels: { part: 'own' } }));
    const failure: unknown = await storage.getList('/registry/').catch((error: unknown) => error);
    expect(isStorageError(failure, 'Internal')).to.equal(true);
    expect(String(failure)).to.include('the defaults of the definition add too much to its objects');
    const selected = await storage.getList('/registry/', { predicate: labelIs('part', 'own') });
    expect(
      selected.items.map(({ attributes }) => attributes.name),
      'those that are not selected do not count',
    ).to.deep.equal(['a', 'c']);
    expect((await storage.getList('/registry/', { limit: 2 })).items).to.have.length(2);

    await storage.delete(key('b'));
    expect((await storage.getList('/registry/')).items).to.have.length(2);
  });
});
