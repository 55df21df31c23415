import { expect } from 'chai';
import { escapeHTML, goJSON, goQuote } from './go-format.ts';

describe('goQuote', () => {
  it('writes long texts as short ones', () => {
    for (const piece of [
      'a',
      '"',
      '\\',
      'é',
      '\u2028',
      '😀',
      '\ud800',
      '\ud800a',
      'a\n\u0001\u007f',
      '\ufffd\u{e0001}',
    ]) {
      const short = goQuote(piece).slice(1, -1);
      expect(goQuote(piece.repeat(10_000)), piece).to.equal(`"${short.repeat(10_000)}"`);
    }
  });

  it('tells bytes that are no UTF-8', () => {
    expect(goQuote('a\udcff\udc80b')).to.equal(String.raw`"a\xff\x80b"`);
    expect(goQuote('a\udcff'.repeat(3_000))).to.equal(`"${String.raw`a\xff`.repeat(3_000)}"`);
  });
});

describe('escapeHTML', () => {
  it('writes long texts as short ones', () => {
    for (const piece of ['a', '<', '>&', 'é<', '\u2028\u2029', '\u2027', '😀>', '\u200a'])
      expect(escapeHTML(piece.repeat(40_000)), piece).to.equal(escapeHTML(piece).repeat(40_000));
    expect(escapeHTML('<>&\u2028\u2029')).to.equal(String.raw`\u003c\u003e\u0026\u2028\u2029`);
  });
});

describe('goJSON', () => {
  const rows: readonly (readonly [what: string, value: unknown, text: string])[] = [
    ['nothing', undefined, 'null'],
    ['members in their order', { b: 1, a: [true, null] }, '{"b":1,"a":[true,null]}'],
    ['characters of HTML', { a: '<&>' }, '{"a":"\\u003c\\u0026\\u003e"}'],
    ['bytes that are no UTF-8', { 'k\udc80': '\\udcff\udcff\\' }, String.raw`{"k\ufffd":"\\udcff\ufffd\\"}`],
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
