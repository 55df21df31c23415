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

  it('steps over a value that is known, byte for byte', () => {
    const known = Buffer.from('{"a":[1,"}"]}');
    const json = scanner('[ {"a":[1,"}"]} ,{"a":[1,"}"]},{"a":[2,"}"]},12]');
    const found: boolean[] = [];
    json.list(() => {
      const is = json.rawIf(known)?.equals(known) === true;
      found.push(is);
      if (!is) json.skip();
    });
    expect(found).to.deep.equal([true, true, false, false]);
    expect(scanner('12').rawIf(Buffer.from('1')), 'what only begins so').to.equal(undefined);
    expect(scanner('1').rawIf(Buffer.from('12')), 'what ends before').to.equal(undefined);
  });

  it('goes to a member, and reads nothing behind it', () => {
    const json = scanner('{"kind":"K","metadata":{"labels":{"uid":"no"},"uid":"u", neither JSON nor an end');
    expect(json.find('metadata') && json.find('uid') && json.string()).to.equal('u');
    for (const text of ['{}', '{"a":1}', '[]', '1', '"metadata"', 'null'])
      expect(scanner(text).find('b')).to.equal(false);
    expect(() => scanner('{"a"').find('b')).to.throw(ScanError);
  });

  for (const text of ['', '[]', '{"a"', '{"a":1', '{"a":"', '{"text":"a" "b"}'])
    it(`refuses ${text}`, () => {
      expect(() => read(text)).to.throw(ScanError);
    });
});
