import { expect } from 'chai';
import { LinkedList } from './linked-list.ts';

describe('linked list', () => {
  it('has items in the order in which they came, without those that have left', () => {
    const list = new LinkedList<string>();
    const places = ['a', 'b', 'c', 'd'].map((item) => list.push(item));
    expect([...list]).to.deep.equal(['a', 'b', 'c', 'd']);
    for (const [left, rest] of [
      [1, 'acd'],
      [3, 'ac'],
      [0, 'c'],
      [2, ''],
    ] as const) {
      list.remove(places[left]!);
      expect([...list].join('')).to.equal(rest);
      expect(list.first).to.equal(rest[0]);
    }
    list.push('e');
    expect([...list]).to.deep.equal(['e']);
  });

  it('may lose the item that is looked at', () => {
    const list = new LinkedList<number>();
    const places = [0, 1, 2].map((item) => list.push(item));
    const seen = [];
    for (const item of list) {
      seen.push(item);
      list.remove(places[item]!);
    }
    expect([seen, list.first]).to.deep.equal([[0, 1, 2], undefined]);
  });
});
