import { expect } from 'chai';
import { humanDuration } from './human-duration.ts';

describe('humanDuration', () => {
  const minute = 60,
    hour = 3600,
    day = 86_400;
  const rows: readonly (readonly [seconds: number, text: string])[] = [
    [-2, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [1, '1s'],
    [119, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 5, '2m5s'],
    [10 * minute - 1, '9m59s'],
    [10 * minute + 59, '10m'],
    [3 * hour - 1, '179m'],
    [3 * hour, '3h'],
    [3 * hour + minute, '3h1m'],
    [8 * hour + 30 * minute, '8h'],
    [2 * day - 1, '47h'],
    [2 * day, '2d'],
    [2 * day + 5 * hour, '2d5h'],
    [8 * day + 5 * hour, '8d'],
    [2 * 365 * day - 1, '729d'],
    [2 * 365 * day, '2y'],
    [2 * 365 * day + 3 * day, '2y3d'],
    [8 * 365 * day + 9 * day, '8y'],
  ];
  for (const [seconds, text] of rows)
    it(`prints ${seconds} seconds as ${text}`, () => {
      expect(humanDuration(seconds * 1000)).to.equal(text);
    });
});
