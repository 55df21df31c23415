import { expect } from 'chai';
import { watchTimeoutMs } from './watch-timeout.ts';

describe('watchTimeoutMs', () => {
  const rows: readonly (readonly [seconds: number | undefined, minimum: number, ms: number])[] = [
    [2, 1_000, 2_000],
    [-1, 1_000, 1],
    [0, 1_000, 1_500],
    [undefined, 1_000, 1_500],
    [undefined, 0, 0],
  ];
  for (const [seconds, minimum, ms] of rows)
    it(`is ${ms} ms of ${String(seconds)} s, at least ${minimum} ms`, () => {
      expect(watchTimeoutMs(seconds, minimum, () => 0.5)).to.equal(ms);
    });
});
