import { expect } from 'chai';
import { Backoff, backoffMs } from './backoff.ts';

describe('Backoff', () => {
  it('doubles its pauses up to the longest', () => {
    const backoff = new Backoff({ firstMs: 50, longestMs: 300 });
    expect(Array.from({ length: 5 }, () => backoff.next())).to.deep.equal([50, 100, 200, 300, 300]);
  });

  it('begins anew after a success', () => {
    const backoff = new Backoff({ firstMs: 50, longestMs: 300 });
    backoff.next();
    backoff.next();
    backoff.reset();
    expect(backoff.next()).to.equal(50);
  });

  it('adds what chance says', () => {
    const draws = [0, 0.5, 1];
    const backoff = new Backoff({
      firstMs: 100,
      longestMs: 250,
      jitter: { part: 0.5, random: () => draws.shift() as number },
    });
    expect([backoff.next(), backoff.next(), backoff.next()]).to.deep.equal([100, 250, 375]);
  });

  it('stays finite however often something fails', () => {
    expect(backoffMs(5_000, { firstMs: 5, longestMs: 1_000_000 })).to.equal(1_000_000);
  });
});
