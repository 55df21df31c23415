import { expect } from 'chai';
import { utf8Text } from './utf8.ts';

describe('utf8Text', () => {
  // As strings.ToValidUTF8 of Go, rune by rune, gives them.
  const rows: readonly (readonly [hex: string, text: string])[] = [
    ['', ''],
    ['61', 'a'],
    ['c3bc', 'ü'],
    ['e282ac', '€'],
    ['f09f9880', '😀'],
    ['efbfbd', '\uFFFD'],
    ['6180', 'a\uFFFD'],
    ['61e28262', 'a\uFFFD\uFFFDb'],
    ['f09f98', '\uFFFD\uFFFD\uFFFD'],
    ['f09f9861c3bc', '\uFFFD\uFFFD\uFFFDaü'],
    ['c080', '\uFFFD\uFFFD'],
    ['e08080', '\uFFFD\uFFFD\uFFFD'],
    ['eda080', '\uFFFD\uFFFD\uFFFD'],
    ['f4908080', '\uFFFD\uFFFD\uFFFD\uFFFD'],
    ['ff', '\uFFFD'],
    ['c3', '\uFFFD'],
  ];
  for (const [hex, text] of rows)
    it(hex === '' ? 'nothing' : hex, () => {
      expect(utf8Text(Buffer.from(hex, 'hex'))).to.equal(text);
    });
});
