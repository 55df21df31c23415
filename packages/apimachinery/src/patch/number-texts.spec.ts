import { expect } from 'chai';
import { NumberTexts } from './number-texts.ts';

const of = (patch: string): NumberTexts | undefined => NumberTexts.of(Buffer.from(patch));

describe('NumberTexts', () => {
  for (const plain of [
    '{}',
    '{"a":1,"b":-2.5,"c":[0,0.1,9007199254740993,-9223372036854775808],"1e3":"1.0"}',
    String.raw`["\"1.0","\\",1]`,
    '100000000000000000000',
  ])
    it(`are none in ${plain}`, () => {
      expect(of(plain)).to.equal(undefined);
    });

  for (const number of ['1.0', '1e3', '1E3', '-0', '-0.0', '1e400', '1.0000000000000000001', '1e21', '1.50'])
    it(`keep ${number}`, () => {
      const numbers = of(`{"a":[${number},2],"b":{"c":${number}}}`);
      const value = JSON.parse(String(numbers?.patch)) as { a: unknown[]; b: { c: unknown } };
      expect(value.a[1]).to.equal(2);
      expect([typeof value.a[0], typeof value.b.c]).to.deep.equal(['string', 'string']);
      expect(numbers?.restore(JSON.stringify({ z: value.b.c, y: value.a }))).to.equal(
        `{"z":${number},"y":[${number},2]}`,
      );
    });

  it('are not mixed up with what a patch or a document has', () => {
    const numbers = of('{"a":1.0,"b":"\uE0000"}');
    expect(numbers?.restore(`{"c":"\uE000\uE0000",${String(numbers.patch).slice(1)}`)).to.equal(
      '{"c":"\uE000\uE0000","a":1.0,"b":"\uE0000"}',
    );
  });

  it('are found in a moment in a text that is made to have what might stand for them', () => {
    const filler = '\uE000'.repeat(1_000_000);
    const began = process.cpuUsage();
    const numbers = of(`{"a":1.0,"b":"${filler}"}`);
    const { user } = process.cpuUsage(began);
    expect(user / 1000).to.be.lessThan(1_000);
    expect(numbers?.patch.length).to.be.lessThan(3_000_100);
  });
});
