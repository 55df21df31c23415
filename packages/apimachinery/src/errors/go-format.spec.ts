import { expect } from 'chai';
import { goJSON } from './go-format.ts';

describe('goJSON', () => {
  const rows: readonly (readonly [what: string, value: unknown, text: string])[] = [
    ['nothing', undefined, 'null'],
    ['members in their order', { b: 1, a: [true, null] }, '{"b":1,"a":[true,null]}'],
    ['characters of HTML', { a: '<&>' }, '{"a":"\\u003c\\u0026\\u003e"}'],
    ['whole numbers of any size', { a: 12345678901234567890n }, '{"a":12345678901234567890}'],
    ['keys that look like numbers in the order of texts', { 9: 'a', 10: 'b', x: 'c' }, '{"10":"b","9":"a","x":"c"}'],
    [
      'such maps somewhere inside, and all else as it is',
      { z: 1n, m: { matchLabels: { a: undefined, 2: '<', 10: 'b' } }, l: [{ y: 1, x: 2 }] },
      '{"z":1,"m":{"matchLabels":{"10":"b","2":"\\u003c"}},"l":[{"y":1,"x":2}]}',
    ],
  ];
  for (const [what, value, text] of rows)
    it(`writes ${what}`, () => {
      expect(goJSON(value)).to.equal(text);
    });
});
