import { expect } from 'chai';
import { bytesOfText, textOfBytes, withoutBytes } from './utf8.ts';

describe('texts that are no UTF-8', () => {
  for (const hex of ['ff', '61c3', 'eda080', 'f4908080', 'c3a9ff', 'f09f9880fff09f98', '80efbfbd', 'c080e282'])
    it(`keep the bytes ${hex}`, () => {
      const text = textOfBytes(Buffer.from(hex, 'hex'));
      expect(bytesOfText(text)?.toString('hex')).to.equal(hex);
      expect(text).to.match(/[\udc80-\udcff]/);
    });

  it('are the same as ever where they are UTF-8', () => {
    for (const text of ['', 'a', 'é\u2028😀', '\ufffd']) {
      expect(textOfBytes(Buffer.from(text))).to.equal(text);
      expect(bytesOfText(text)).to.equal(undefined);
    }
  });

  it('have U+FFFD in JSON, which leaves backslashes alone', () => {
    const text = String.raw`\udcff"` + '\udcff\\\udc80\n\udc81';
    expect(withoutBytes(JSON.stringify(text))).to.equal(String.raw`"\\udcff\"\ufffd\\\ufffd\n\ufffd"`);
  });
});
