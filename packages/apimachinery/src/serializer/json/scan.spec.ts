import { expect } from 'chai';
import fc from 'fast-check';
import { countKeys } from './fast-decode.ts';
import { scanJSON, scanText } from './scan.ts';

const scan = (text: string): ReturnType<typeof scanJSON> => scanJSON(Buffer.from(text));

describe('scanJSON', () => {
  const exact: [text: string, exactNumbers: boolean][] = [
    ['{"a":1}', false], ['{"a":1.5}', true], ['[1e3]', true], ['[1,2E3]', true], ['1.0', true], ['-1', false], ['[123456789012345]', false], ['[1234567890123456]', true],
    ['{"a":"1.5"}', false], ['{"a":"[1.5,2.5e3]"}', false], ['{"a":"\\":1.5"}', false], ['{"a":"\\\\"}', false], ['{ "a" : 1.5 }', true],
  ];
  for (const [text, exactNumbers] of exact) it(text, () => { expect(scan(text).exactNumbers).to.equal(exactNumbers); });

  it('counts duplicate keys, and no text that looks like keys', () => {
    expect(scan('{"a":1,"a":2}').keys).to.equal(2);
    expect(scan('{"a\\":":"b\\":","c" : ":x"}').keys).to.equal(2);
  });

  it('measures depth', () => { expect(scan('{"a":[[{"b":"[[["}],1]}').depth).to.equal(4); });

  it('counts what JSON.parse keeps when keys are unique', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.boolean(), (value, pretty) => {
      const text = JSON.stringify(value, undefined, pretty ? 2 : 0);
      expect(scan(text).keys).to.equal(countKeys(JSON.parse(text)));
    }), { numRuns: 1000 });
  });
});

describe('scanText', () => {
  const word = fc.oneof(fc.constantFrom('":', '",', '\\', '\\"', 'a:b', ', 1.5', '[1.5', ':1.5'), fc.string({ maxLength: 3 }));
  const number = fc.oneof(fc.integer(), fc.constantFrom(1.5, 1e21, -0.25, 1234567890123456, 999999999999999));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, word, number, fc.boolean(), fc.constant(null), fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(word, tie('value'), { maxKeys: 3, noNullPrototype: true })),
  }));

  it('finds what the bytes tell', () => {
    fc.assert(fc.property(value, fc.constantFrom('', ' ', '\n', '\t'), fc.boolean(), (given, space, twice) => {
      // Duplicate keys come from putting an object's text twice into itself.
      let text = JSON.stringify(given, undefined, space);
      if (twice) text = `{"k":${text},"k":${text}}`;
      const [quick, slow] = [scanText(text, Buffer.from(text)), scanJSON(Buffer.from(text))];
      expect([quick.keys, quick.exactNumbers], text).to.deep.equal([slow.keys, slow.exactNumbers]);
    }), { numRuns: 2000 });
  });

  it('reads long texts byte by byte, so that their depth is known', () => {
    const text = `${'['.repeat(10_001)}${']'.repeat(10_001)}`;
    expect(scanText(text, Buffer.from(text)).depth).to.equal(10_001);
  });
});
