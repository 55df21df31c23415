import { expect } from 'chai';
import fc from 'fast-check';
import { closeContext, openContext, put, remove } from '../testing/open-context.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { rangeFromHistory, rangeFromPresent } from './past-range.ts';

describe('ranges of the past', () => {
  it('are the same taken back from the present and read from the history', () => {
    const key = fc.constantFrom('a', 'b', 'b/1', 'b/2', 'c', 'd', '\xff');
    const steps = fc.array(fc.record({ key, remove: fc.boolean() }), { minLength: 1, maxLength: 30 });
    const range = fc.record({
      from: key,
      upper: fc.option(key, { nil: undefined }),
      maxId: fc.nat(30),
      limit: fc.nat(4),
      countOnly: fc.boolean(),
    });
    fc.assert(
      fc.property(steps, fc.array(range, { minLength: 5, maxLength: 10 }), (changes, ranges) => {
        using directory = new TemporaryDirectory();
        const context = openContext({ dataFile: directory.file('data.db') });
        const { index, history } = context.store;
        for (const change of changes) {
          if (change.remove) remove(context, change.key);
          else put(context, change.key, 'x');
        }
        for (const wanted of ranges) {
          if (wanted.upper !== undefined && wanted.upper <= wanted.from) continue;
          const since = history.keysFrom(wanted.maxId + 1, 100);
          const fromPresent = rangeFromPresent(index, history, { range: wanted, changes: since });
          const fromHistory = rangeFromHistory(history, wanted);
          expect(fromPresent.count).to.equal(fromHistory.count);
          expect(fromPresent.records.map((record) => [record.key, record.id])).to.deep.equal(
            fromHistory.records.map((record) => [record.key, record.id]),
          );
        }
        closeContext(context);
      }),
      { numRuns: 50 },
    );
  }).timeout(120_000);
});
