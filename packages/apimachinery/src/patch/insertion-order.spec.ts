import { expect } from 'chai';
import fc from 'fast-check';
import { insertionOrder } from './insertion-order.ts';

describe('insertionOrder', () => {
  it('is what an insertion sort makes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 6 }), { maxLength: 20 }), (ranks) => {
        const items = ranks.map((rank, at) => ({ rank, at }));
        expect(insertionOrder(items, ({ rank }) => rank)).to.deep.equal(insertionSort(items));
      }),
    );
  });

  it('walks no list for each item', () => {
    const ranks = Array.from({ length: 300_000 }, (_, i) => (i % 2 === 0 ? -1 : 300_000 - i));
    const started = process.cpuUsage();
    expect(insertionOrder(ranks, (rank) => rank)).to.have.length(ranks.length);
    const { user } = process.cpuUsage(started);
    // Walked, it would be minutes.
    expect(user / 1_000_000).to.be.lessThan(10);
  });
});

interface Ranked {
  readonly rank: number;
  readonly at: number;
}

function insertionSort(items: readonly Ranked[]): Ranked[] {
  const out = [...items];
  for (let i = 1; i < out.length; i++) {
    for (let j = i; j > 0; j--) {
      const item = out[j]!;
      const before = out[j - 1]!;
      if (item.rank >= 0 && before.rank >= 0 && item.rank >= before.rank) break;
      out[j] = before;
      out[j - 1] = item;
    }
  }
  return out;
}
