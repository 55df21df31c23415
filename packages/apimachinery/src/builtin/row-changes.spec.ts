import { expect } from 'chai';
import fc from 'fast-check';
import { applyRowChanges, rowChanges } from './row-changes.ts';

describe('changes of tables', () => {
  const cases: readonly [name: string, from: string, to: string, changes: ReturnType<typeof rowChanges>][] = [
    ['none', 'abc', 'abc', []],
    ['a row more', 'ac', 'abc', [[1, 0, 'b']]],
    ['a row less', 'abc', 'ac', [[1, 1]]],
    ['another row', 'abc', 'axc', [[1, 1, 'x']]],
    [
      'rows at both ends',
      'bc',
      'abcd',
      [
        [0, 0, 'a'],
        [2, 0, 'd'],
      ],
    ],
  ];
  for (const [name, from, to, changes] of cases)
    it(`are found: ${name}`, () => {
      expect(rowChanges(from.split(''), to.split(''))).to.deep.equal(changes);
    });

  it('make the other table of the first', () => {
    const rows = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    fc.assert(
      fc.property(rows, rows, (from, to) => {
        expect(applyRowChanges(from, rowChanges(from, to))).to.deep.equal(to);
      }),
      { seed: 18 },
    );
  });
});
