import { expect } from 'chai';
import fc from 'fast-check';
import { KeyedHeap } from './keyed-heap.ts';

const drained = (heap: KeyedHeap<number>): number[] => {
  const values: number[] = [];
  for (let first = heap.first(); first !== undefined; first = heap.first()) {
    values.push(first.value);
    heap.delete(first.key);
  }
  return values;
};

describe('KeyedHeap', () => {
  it('gives what it was given in order, whatever was replaced or deleted in between', () => {
    const step = fc.record({ key: fc.integer({ min: 0, max: 20 }).map(String), value: fc.option(fc.integer()) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = new KeyedHeap<number>((a, b) => a < b);
        const model = new Map<string, number>();
        for (const { key, value } of steps)
          if (value === null) expect(heap.delete(key)).to.equal(model.delete(key));
          else {
            heap.set(key, value);
            model.set(key, value);
          }
        expect(heap.size).to.equal(model.size);
        expect(drained(heap)).to.deep.equal([...model.values()].toSorted((a, b) => a - b));
      }),
    );
  });
});
