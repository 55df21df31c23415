import { expect } from 'chai';
import fc from 'fast-check';
import { countKeys } from './fast-decode.ts';
import { scanJSON } from './scan.ts';

const scan = (text: string): ReturnType<typeof scanJSON> => scanJSON(Buffer.from(text));

describe('scanJSON', () => {
  const exact: [text: string, exactNumbers: boolean][] = [
    ['{"a":1}', false],
    ['{"a":1.5}', true],
    ['[1e3]', true],
    ['[1,2E3]', true],
    ['1.0', true],
    ['-1', false],
    ['-0', true],
    ['[-10]', false],
    ['[123456789012345]', false],
    ['[1234567890123456]', true],
    ['{"a":"1.5"}', false],
    ['{"a":"[1.5,2.5e3]"}', false],
    ['{"a":"\\":1.5"}', false],
    ['{"a":"\\\\"}', false],
    ['{ "a" : 1.5 }', true],
  ];
  for (const [text, exactNumbers] of exact)
    it(text, () => {
      expect(scan(text).exactNumbers).to.equal(exactNumbers);
    });

  it('counts duplicate keys, and no text that looks like keys', () => {
    expect(scan('{"a":1,"a":2}').keys).to.equal(2);
    expect(scan('{"a\\":":"b\\":","c" : ":x"}').keys).to.equal(2);
  });

  it('measures depth', () => {
    expect(scan('{"a":[[{"b":"[[["}],1]}').depth).to.equal(4);
  });

  it('counts what JSON.parse keeps when keys are unique', () => {
    // Without backslashes: after a key with one, JSON.parse of V8 13.6 takes escaped keys of later objects for it
    // (nodejs/node issue 63785).
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\\\')),
        fc.boolean(),
        (value, pretty) => {
          const text = JSON.stringify(value, undefined, pretty ? 2 : 0);
          expect(scan(text).keys).to.equal(countKeys(JSON.parse(text)));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
