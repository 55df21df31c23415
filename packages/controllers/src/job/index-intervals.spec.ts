import { expect } from 'chai';
import { firstMissing, formatIntervals, includes, overlap, parseIntervals, sizeOf, union } from './index-intervals.ts';

describe('intervals of completion indexes', () => {
  const texts: readonly (readonly [text: string, completions: number, again: string, size: number])[] = [
    ['', 10, '', 0],
    ['3', 10, '3', 1],
    ['0,1', 10, '0,1', 2],
    ['0-1', 10, '0,1', 2],
    ['0-2,3', 10, '0-3', 4],
    ['1,3-5,7', 10, '1,3-5,7', 5],
    ['1,3-5,7', 5, '1,3,4', 3],
    ['x,2', 10, '2', 1],
    ['8-20', 10, '8,9', 2],
  ];
  for (const [text, completions, again, size] of texts)
    it(`of "${text}" below ${completions} are "${again}"`, () => {
      const intervals = parseIntervals(text, completions);
      expect(formatIntervals(intervals)).to.equal(again);
      expect(sizeOf(intervals)).to.equal(size);
    });
  const unions: readonly (readonly [a: string, b: string, both: string, inBoth: number])[] = [
    ['1-3', '2-5', '1-5', 2],
    ['1-3', '4', '1-4', 0],
    ['0,4-6', '2,5', '0,2,4-6', 1],
    ['', '7', '7', 0],
  ];
  for (const [a, b, both, inBoth] of unions)
    it(`"${a}" and "${b}" are "${both}"`, () => {
      const [one, other] = [parseIntervals(a, 99), parseIntervals(b, 99)];
      expect(formatIntervals(union(one, other))).to.equal(both);
      expect(overlap(one, other)).to.equal(inBoth);
    });
  it('say what is not among them', () => {
    const intervals = parseIntervals('0,2-4,8', 10);
    expect(firstMissing(intervals, 3, 10)).to.deep.equal([1, 5, 6]);
    expect(firstMissing(intervals, 99, 10)).to.deep.equal([1, 5, 6, 7, 9]);
    expect(firstMissing([], 2, 1)).to.deep.equal([0]);
    const among = [0, 1, 2, 3, 4, 5, 7, 8, 9].filter((index) => includes(intervals, index));
    expect(among).to.deep.equal([0, 2, 3, 4, 8]);
    expect(includes([], 0)).to.equal(false);
  });

  it('are looked through in steps that halve them', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => ({ first: 2 * i, last: 2 * i }));
    let looks = 0;
    const watched = new Proxy(many, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
        return Reflect.get(target, key) as unknown;
      },
    });
    expect([includes(watched, 99_998), includes(watched, 99_997)]).to.deep.equal([true, false]);
    expect(looks).to.be.lessThan(50);
  });
});
