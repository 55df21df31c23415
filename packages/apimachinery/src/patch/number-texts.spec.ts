import { expect } from 'chai';
import { goFloat } from '../errors/go-format.ts';
import { FloatMarks, NumberTexts } from './number-texts.ts';

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

describe('FloatMarks', () => {
  it('are none where whole numbers are written as such', () => {
    for (const patch of ['{}', '{"a":1,"b":1.5,"c":"1e3","d":-0,"1e3":12345678901234567890}'])
      expect(FloatMarks.of(Buffer.from(patch)), patch).to.equal(undefined);
  });

  it('are floats of no other value, and printed as those that they stand for', () => {
    const marks = FloatMarks.of(Buffer.from('{"a":1e9,"b":[1.0,"1.0",2],"c":-0.0,"d":1e-400}'));
    const { a, b, c, d } = JSON.parse(String(marks?.patch)) as { a: number; b: number[]; c: number; d: number };
    expect(new Set([a, b[0], c, d]).size).to.equal(4);
    for (const float of [a, b[0], c, d]) expect(float).to.be.greaterThan(Number.MAX_SAFE_INTEGER);
    expect(b.slice(1)).to.deep.equal(['1.0', 2]);
    expect(marks?.restore([a, b[0], c, d].map((float) => goFloat(float as number)).join())).to.equal('1e+09,1,-0,0');
  });
});

describe('texts of patches as they were written', () => {
  it('are values with escapes, or with bytes that are no UTF-8', () => {
    const patch = Buffer.from(String.raw`{"a\u0062":"c","d":["\u0065<",1.0,"f"],"g":"` + '\xff"}', 'latin1');
    const values = NumberTexts.ofValues(patch);
    const { ab, d, g } = JSON.parse(String(values?.patch)) as { ab: string; d: unknown[]; g: string };
    expect([ab, d[2]]).to.deep.equal(['c', 'f']);
    expect(values?.restore(JSON.stringify([d[0], d[1], g]))).to.equal(String.raw`["\u0065\u003c",1.0,"` + '\udcff"]');
  });
});
