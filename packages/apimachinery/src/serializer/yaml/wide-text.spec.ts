import { expect } from 'chai';
import { hasWideMark, wideText } from './wide-text.ts';
import { readYAML } from './yaml.ts';

const little = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const big = (text: string): Buffer => little(text).swap16();

describe('YAML in UTF-16', () => {
  it('is read in both orders', async () => {
    for (const bytes of [little('a: é\nb: "😀"\n'), big('a: é\nb: "😀"\n')])
      expect((await readYAML(bytes)).value).to.deep.equal({ a: 'é', b: '😀' });
  });

  it('is told by its mark', () => {
    expect(hasWideMark(little(''))).to.equal(true);
    expect(hasWideMark(Buffer.from('a: b'))).to.equal(false);
  });

  const wrong: readonly (readonly [what: string, bytes: Buffer, text: string])[] = [
    ['half a character', Buffer.concat([little('a'), Buffer.from([0])]), 'yaml: incomplete UTF-16 character'],
    ['half a pair', little('a\ud83d'), 'yaml: incomplete UTF-16 surrogate pair'],
    ['a first half without the second', little('\ud83da'), 'yaml: expected low surrogate area'],
    ['a second half without the first', little('\ude00'), 'yaml: unexpected low surrogate area'],
  ];
  for (const [what, bytes, text] of wrong)
    it(`refuses ${what}`, () => {
      expect(() => wideText(bytes)).to.throw(text);
    });
});
