import { expect } from 'chai';
import fc from 'fast-check';
import { escapeHTML } from '@kubechain/apimachinery';
import { isAsEncoded } from './as-encoded.ts';

describe('JSON as an encoder writes it', () => {
  const check = (json: string): boolean => isAsEncoded(Buffer.from(json), JSON.parse(json) as object);

  it("is known, with Go's escapes too", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), (object) => {
        expect(check(escapeHTML(JSON.stringify(object)))).to.equal(true);
      }),
    );
    expect(check(String.raw`{"a":"x \u0026\u0026 y \u003e z\u2028","\u003c":1}`)).to.equal(true);
  });

  it('is not what has spaces, repeated members, or other escapes', () => {
    for (const json of [
      '{"a": 1}',
      '{"a":1,"a":1}',
      String.raw`{"a":"\u0041"}`,
      String.raw`{"a":"&"}`,
      String.raw`{"a":"\u0026\u0041"}`,
      String.raw`{"a":"\/"}`,
      String.raw`{"a":"\ud800"}`,
    ])
      expect(check(json), json).to.equal(false);
  });
});
