import { expect } from 'chai';
import fc from 'fast-check';
import { JSONScanner, ScanError } from './json-scanner.ts';

const scanner = (text: string): JSONScanner => new JSONScanner(Buffer.from(text));

/** The members of the object that are strings, the items of the lists that are, and a member as it is written. */
function read(text: string): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const json = scanner(text);
  json.object((name) => {
    switch (name) {
      case 'text':
        out[name] = json.string();
        return true;
      case 'flag':
        out[name] = json.isTrue();
        return true;
      case 'raw':
        out[name] = json.raw().toString();
        return true;
      case 'list': {
        const items: string[] = [];
        json.list(() => {
          items.push(json.string());
        });
        out[name] = items;
        return true;
      }
      default:
        return false;
    }
  });
  return out;
}

describe('JSONScanner', () => {
  const rows: readonly (readonly [text: string, result: object])[] = [
    ['{}', {}],
    [' { "text" : "a" , "flag" : true } ', { text: 'a', flag: true }],
    [String.raw`{"x":"\\","text":"a\"b\\","flag":false}`, { text: 'a"b\\', flag: false }],
    ['{"x":{"text":"no","y":["}",{"z":"]"}]},"text":"ü€😀"}', { text: 'ü€😀' }],
    ['{"n":-1.5e3,"list":[],"m":null,"flag":null}', { list: [], flag: false }],
    ['{"list":["a", "b"],"text":""}', { list: ['a', 'b'], text: '' }],
    ['{"raw": {"a": ["}", 1]} ,"text":"b"}', { raw: '{"a": ["}", 1]}', text: 'b' }],
    ['{"raw":12,"text":"b"}', { raw: '12', text: 'b' }],
  ];
  for (const [text, result] of rows)
    it(`reads ${text}`, () => {
      expect(read(text)).to.deep.equal(result);
    });

  it('steps over whatever else there is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), fc.nat({ max: 2 }), (before, after, text, indent) => {
        expect(read(JSON.stringify({ before, text, after, list: [text] }, undefined, indent))).to.deep.equal({
          text,
          list: [text],
        });
      }),
    );
  });

  for (const text of ['', '[]', '{"a"', '{"a":1', '{"a":"', '{"text":"a" "b"}'])
    it(`refuses ${text}`, () => {
      expect(() => read(text)).to.throw(ScanError);
    });
});
