import { expect } from 'chai';
import { mergePreservingOrder } from './preserving-order.ts';

describe('mergePreservingOrder', () => {
  const rows: readonly (readonly [what: string, lists: readonly (readonly string[])[], merged: readonly string[]])[] = [
    ['nothing', [], []],
    ['a list that has all there is', [['b', 'a'], ['a']], ['b', 'a']],
    [
      'what one list has between others',
      [
        ['a', 'c'],
        ['a', 'b', 'c'],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'names that nothing is said of by their letters',
      [
        ['a', 'c'],
        ['b', 'c'],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'new names of two lists in the places that both give them',
      [['x', 'm', 'z'], ['x', 'b', 'z'], ['q']],
      ['q', 'x', 'b', 'm', 'z'],
    ],
    [
      'lists that contradict each other by letters',
      [
        ['b', 'a', 'c'],
        ['a', 'b'],
      ].concat([['d']]),
      ['a', 'b', 'c', 'd'],
    ],
  ];
  for (const [what, lists, merged] of rows)
    it(`puts in order: ${what}`, () => {
      expect(mergePreservingOrder(lists)).to.deep.equal(merged);
    });
});
