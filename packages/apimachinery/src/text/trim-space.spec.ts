import { expect } from 'chai';
import { trimSpace } from './trim-space.ts';

describe('trimSpace', () => {
  const rows: readonly (readonly [text: string, trimmed: string])[] = [
    ['', ''],
    [' \t\u0085\u3000', ''],
    [' a b\n', 'a b'],
    ['\u0085a\u2028', 'a'],
    ['\ufeffa\u200b', '\ufeffa\u200b'],
  ];
  for (const [text, trimmed] of rows)
    it(JSON.stringify(text), () => {
      expect(trimSpace(text)).to.equal(trimmed);
    });
});
