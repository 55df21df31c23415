import { expect } from 'chai';
import fc from 'fast-check';
import { deduplicate } from './deduplicate.ts';

describe('deduplicate', () => {
  it('orders as upstream does, whose last item takes the place of a repeated one', () => {
    expect(deduplicate(['a', 'b', 'a', 'c', 'd'])).to.deep.equal(['a', 'b', 'd', 'c']);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 20 }), (items) => {
        expect(deduplicate(items)).to.deep.equal(pairwise(items));
      }),
    );
  });

  it('takes no longer for pairs than for others', () => {
    const names = Array.from({ length: 200_000 }, (_, i) => `example.com/${i}`);
    const started = process.cpuUsage();
    expect(deduplicate([...names, ...names])).to.have.length(names.length);
    const { user } = process.cpuUsage(started);
    // Pair by pair, it would be minutes.
    expect(user / 1_000_000).to.be.lessThan(10);
  });
});

/** Upstream's way: each item against all after it. */
function pairwise(items: readonly number[]): number[] {
  const out = [...items];
  for (let i = 0; i < out.length - 1; i++) {
    for (let j = i + 1; j < out.length; j++) {
      if (out[i] !== out[j]) continue;
      const last = out.pop()!;
      if (j < out.length) out[j] = last;
      j--;
    }
  }
  return out;
}
