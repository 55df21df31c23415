import { expect } from 'chai';
import fc from 'fast-check';
import type { ServerContext } from '../context/server-context.ts';
import { closeContext, openContext, put, remove } from '../testing/open-context.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';

type State = ReadonlyMap<string, string>;

function read(
  context: ServerContext,
  revision: number,
  options: { readonly from?: string; readonly upper?: string; readonly limit?: number } = {},
): State {
  const { records } = context.store.range(options.from ?? '\0', options.upper, {
    revision,
    limit: options.limit ?? 0,
    countOnly: false,
  });
  return new Map(records.map((record) => [record.key, Buffer.from(context.store.value(record) ?? []).toString()]));
}

describe('MvccStore', () => {
  it('begins with the image of another store, whose values it shares and never changes', () => {
    const model = openContext({ dataFile: ':memory:' });
    put(model, 'a', 'one');
    put(model, 'b', 'two');
    put(model, 'b', 'three');
    put(model, 'left/out', 'four');
    const image = model.store.image((key) => key.startsWith('left/'));
    closeContext(model);
    const [first, second] = [1, 2].map(() => openContext({ dataFile: ':memory:', image, valueCacheBytes: 0 }));
    const begun = new Map([
      ['a', 'one'],
      ['b', 'three'],
    ]);
    expect(read(first!, 0)).to.deep.equal(begun);
    const { revision } = first!.store;
    expect(revision).to.equal(image.revision);
    put(first!, 'a', 'five');
    remove(first!, 'b');
    expect(first!.store.revision).to.equal(revision + 2);
    expect(read(first!, 0)).to.deep.equal(new Map([['a', 'five']]));
    expect(read(first!, revision)).to.deep.equal(begun);
    expect(() => read(first!, revision - 1)).to.throw('required revision has been compacted');
    expect(read(second!, 0)).to.deep.equal(begun);
    expect(second!.store.revision).to.equal(revision);
    expect(second!.store.index.get('a')).to.equal(image.records[0]);
    for (const context of [first!, second!]) closeContext(context);
  });

  it('reads every revision as it was, before and after compaction and a restart', async () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'b/1', 'c', '\xff'),
      remove: fc.boolean(),
      keep: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.nat(),
        fc.integer({ min: 0, max: 400 }),
        async (steps, compactAt, cacheBytes) => {
          using directory = new TemporaryDirectory();
          const options = { dataFile: directory.file('data.db'), valueCacheBytes: cacheBytes };
          let context = openContext(options);
          const history = new Map<number, State>([[1, new Map()]]);
          for (const [index, { key, remove: removed, keep }] of steps.entries()) {
            const state = new Map(history.get(context.store.revision));
            if (removed) remove(context, key);
            else put(context, key, `value ${index}`);
            if (removed) state.delete(key);
            else state.set(key, `value ${index}`);
            history.set(context.store.revision, new Map([...state].sort(([left], [right]) => (left < right ? -1 : 1))));
            if (keep) context.commit.flush();
          }
          const newest = context.store.revision;
          const compacted = 1 + (compactAt % newest);
          const check = (oldest: number): void => {
            for (const [revision, state] of history) {
              if (revision < oldest)
                expect(() => read(context, revision)).to.throw('required revision has been compacted');
              else {
                expect([...read(context, revision)], `revision ${revision}`).to.deep.equal([...state]);
                expect(context.store.range('b', 'c', { revision, limit: 1, countOnly: false }).count).to.equal(
                  [...state.keys()].filter((key) => key >= 'b' && key < 'c').length,
                );
              }
            }
          };
          check(0);
          context.store.compact(compacted);
          check(compacted);
          await context.compaction.run();
          check(compacted);
          closeContext(context);
          context = openContext(options);
          expect(context.store.revision).to.equal(newest);
          check(compacted);
          closeContext(context);
        },
      ),
      { numRuns: 40 },
    );
  }).timeout(60_000);

  it('keeps no row that no revision can read', async () => {
    using directory = new TemporaryDirectory();
    const context = openContext({ dataFile: directory.file('data.db') });
    const rows = (): number => context.database.prepare('SELECT count(*) AS n FROM revisions').get()?.['n'] as number;
    for (let round = 0; round < 700; round++) put(context, `key ${round % 7}`, 'x');
    remove(context, 'key 0');
    const newest = put(context, 'other', 'x');
    expect(rows()).to.equal(702);
    context.store.compact(newest);
    await context.compaction.run();
    expect(rows()).to.equal(7);
    remove(context, 'key 1');
    context.store.compact(newest + 1);
    await context.compaction.run();
    expect(rows(), 'the tombstone of the compacted revision stays for watches').to.equal(7);
    put(context, 'other', 'y');
    context.store.compact(newest + 2);
    await context.compaction.run();
    expect(rows()).to.equal(6);
    closeContext(context);
  });

  it('holds values in memory up to its budget', () => {
    using directory = new TemporaryDirectory();
    const context = openContext({ dataFile: directory.file('data.db'), valueCacheBytes: 10_000 });
    for (let index = 0; index < 100; index++) put(context, `key ${index}`, Buffer.alloc(1000, index));
    context.commit.flush();
    const held = [...context.store.index].filter((record) => record.value !== undefined).length;
    expect(held).to.be.within(1, 10);
    for (const record of context.store.index)
      expect(context.store.value(record)?.[0]).to.equal(Number(record.key.slice(4)));
    closeContext(context);
  });
});
