import { expect } from 'chai';
import { compareElements, sortByElement, sortElements } from './path-element.ts';

/** In order; source: structured-merge-diff, PathElement.Compare. */
const inOrder = [
  'f:a',
  'f:b',
  'f:\ufffd',
  'f:\u{10000}',
  'k:{"key":1,"name":"a"}',
  'k:{"key":"a"}',
  'k:{"key":"a","name":"a"}',
  'k:{"name":2}',
  'k:{"name":10}',
  'k:{"name":"a"}',
  'k:{"name":"a b"}',
  String.raw`k:{"name":"a\""}`,
  'k:{"name":"aa"}',
  'k:{"name":"\ufffd"}',
  'k:{"name":"\u{10000}"}',
  'k:{"name":false}',
  'k:{"name":true}',
  'k:{"port":1}',
  'v:2',
  'v:10',
  'v:"a"',
  'v:"a b"',
  String.raw`v:"a\""`,
  'v:"aa"',
  'v:false',
  'v:true',
  'i:2',
  'i:10',
];

describe('elements of paths', () => {
  it('are in the order of the reference, whichever is compared with which', () => {
    for (const [i, a] of inOrder.entries())
      for (const [j, b] of inOrder.entries())
        expect(Math.sign(compareElements(a, b)), `${a} and ${b}`).to.equal(Math.sign(i - j));
    expect(sortElements(inOrder.toReversed())).to.deep.equal(inOrder);
  });

  it('are each read once, however many of them are sorted', () => {
    const items = Array.from({ length: 10_000 }, (_, i) => ({ element: `k:{"name":"${(i * 7_919) % 10_000}"}` }));
    let reads = 0;
    sortByElement(items, ({ element }) => {
      reads++;
      return element;
    });
    expect(reads).to.equal(items.length);
    expect(items.every(({ element }, i) => i === 0 || compareElements(items[i - 1]!.element, element) < 0)).to.equal(
      true,
    );
  });
});
