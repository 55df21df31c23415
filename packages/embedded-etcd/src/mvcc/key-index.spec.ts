import { expect } from 'chai';
import fc from 'fast-check';
import { KeyIndex } from './key-index.ts';
import type { KeyRecord } from './key-record.ts';

const record = (key: string, id: number): KeyRecord => ({
  id,
  key,
  createRevision: 1,
  modRevision: id,
  version: 1,
  lease: 0,
  value: undefined,
});

describe('KeyIndex', () => {
  it('behaves like a sorted map', () => {
    const key = fc.string({ unit: fc.constantFrom('\0', 'a', 'b', '/', '\xff'), minLength: 1, maxLength: 6 });
    const change = fc.record({ key, remove: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        key,
        fc.option(key, { nil: undefined }),
        fc.nat(5),
        (changes, from, upper, limit) => {
          const index = new KeyIndex();
          const model = new Map<string, number>();
          for (const [id, { key: changed, remove }] of changes.entries()) {
            const before = model.get(changed);
            const replaced = remove ? index.delete(changed) : index.set(record(changed, id));
            expect(replaced?.id).to.equal(before);
            if (remove) model.delete(changed);
            else model.set(changed, id);
          }
          const expected = [...model.keys()]
            .sort()
            .filter((name) => name >= from && (upper === undefined || name < upper));
          expect(index.size).to.equal(model.size);
          expect(index.count(from, upper)).to.equal(expected.length);
          expect(index.collect(from, upper).map((found) => found.key)).to.deep.equal(expected);
          expect(index.collect(from, upper, limit).map((found) => found.key)).to.deep.equal(
            limit === 0 ? expected : expected.slice(0, limit),
          );
          expect(index.get(from)?.id).to.equal(model.get(from));
        },
      ),
    );
  });

  it('stays sorted over many chunks', () => {
    const index = new KeyIndex();
    const keys = Array.from({ length: 5000 }, (_, number) => `key-${(number * 7919) % 5000}`);
    for (const [id, key] of keys.entries()) index.set(record(key, id));
    const sorted = [...keys].sort();
    expect([...index].map((found) => found.key)).to.deep.equal(sorted);
    expect(index.count('key-2', 'key-3')).to.equal(sorted.filter((key) => key >= 'key-2' && key < 'key-3').length);
    for (const key of keys) index.delete(key);
    expect(index.size).to.equal(0);
    expect(index.collect('', undefined)).to.deep.equal([]);
  });
});
