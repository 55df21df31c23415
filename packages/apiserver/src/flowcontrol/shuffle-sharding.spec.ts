import { expect } from 'chai';
import { dealHand, flowHash } from './shuffle-sharding.ts';

describe('shuffle sharding', () => {
  it('deals different queues, each flow the same ones each time', () => {
    for (let user = 0; user < 200; user++) {
      const hand = dealHand(flowHash('s', `user-${user}`), { queues: 64, handSize: 6 });
      expect(new Set(hand).size).to.equal(6);
      expect(hand.every((queue) => queue >= 0 && queue < 64)).to.equal(true);
      expect(dealHand(flowHash('s', `user-${user}`), { queues: 64, handSize: 6 })).to.deep.equal(hand);
    }
  });
  it('deals as the reference does', () => {
    // 3 is card 3 of 4, 0 of the three left is 0, 1 of the two left (1 and 2) is 2, then 1 is left.
    expect(dealHand(3n + 4n * (0n + 3n * 1n), { queues: 4, handSize: 4 })).to.deep.equal([3, 0, 2, 1]);
    expect(dealHand(0n, { queues: 5, handSize: 3 })).to.deep.equal([0, 1, 2]);
  });
  it('uses all queues alike', () => {
    const counts = Array.from({ length: 16 }, () => 0);
    for (let user = 0; user < 4_000; user++)
      for (const queue of dealHand(flowHash('s', String(user)), { queues: 16, handSize: 4 }))
        counts[queue] = (counts[queue] as number) + 1;
    for (const count of counts) expect(count).to.be.within(850, 1_150);
  });
  it('tells flows of schemas and users apart', () => {
    expect(new Set([flowHash('a', 'b'), flowHash('a', 'c'), flowHash('ab', ''), flowHash('', 'ab')]).size).to.equal(4);
    // SHA-256 of "s\0u", the first 8 bytes as a little-endian number.
    expect(flowHash('s', 'u')).to.equal(11_207_317_256_277_854_963n);
  });
});
