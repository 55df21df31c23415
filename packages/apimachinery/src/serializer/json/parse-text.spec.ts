import { expect } from 'chai';
import { decodeJSON } from './decode.ts';
import { decodeRecord } from './decode-record.ts';
import { hasEscapedKey, parseJSON } from './parse-text.ts';
import { shareJSON } from './shared.ts';

describe('keys with escapes', () => {
  it('are found, and only they', () => {
    for (const text of [
      '{"\\n":1}',
      '{"a":{"b\\"" : 1}}',
      '{"\\u000a":1}',
      '{"a":"\\\\","\\\\":1}',
      '{"k:{\\"a\\":1}":1}',
    ])
      expect(hasEscapedKey(text), text).to.equal(true);
    for (const text of ['{"n":1}', '{"a":"\\n"}', '{"a":"\\\\"}', '["\\\\",":"]', '{"a":"{\\"a\\":1}"}', '"\\""'])
      expect(hasEscapedKey(text), text).to.equal(false);
  });

  // On a V8 that has the mistake, JSON.parse reads the second key of each pair as the first.
  const pairs: readonly (readonly [poison: string, key: string])[] = [
    ['\\', '\n'],
    ['\\', '"'],
    ['\\', '\t'],
    ['\\n', '\nx'],
    ['a\\"', 'a"b'],
    ['k:{\\"type\\":\\"Read', 'k:{"type":"Ready"}'],
    ['\\\\', '\\"'],
  ];
  for (const [name, decode] of [
    ['texts', (text: string): object => parseJSON(text) as object],
    ['requests', (text: string): object => decodeJSON(Buffer.from(text), undefined, {}).object],
    ['records', (text: string): object => decodeRecord(Buffer.from(text))],
  ] as const) {
    for (const [poison, key] of pairs)
      it(`are told from others in ${name}: ${JSON.stringify(key)} after ${JSON.stringify(poison)}`, () => {
        for (const one of [poison, key, poison]) {
          const text = JSON.stringify({ apiVersion: 'a/v1', kind: 'K', data: { h: 1, [one]: 2 } });
          expect(Object.keys((decode(text) as { readonly data: object }).data)).to.deep.equal(['h', one]);
        }
      });
  }

  it('are told from others in managed fields, whatever was stored before', () => {
    parseJSON('{".":{},"k:{\\\\\\"ip\\\\\\":\\\\\\"1.2":{}}');
    const text = '{".":{},"k:{\\"ip\\":\\"1.2.3\\"}":{}}';
    expect(Object.keys(shareJSON(text))).to.deep.equal(['.', 'k:{"ip":"1.2.3"}']);
  });

  it('leave values as JSON.parse reads them', () => {
    const text = '{"\\\\":[1e3,-0,12345678901234567890,1.50,null,true,"\\\\\\n"],"__proto__":{"a":1}}';
    expect(JSON.stringify(parseJSON(text))).to.equal(JSON.stringify(JSON.parse(text)));
  });
});

describe('parseJSON', () => {
  it('refuses what nests deeper than Go reads, without reading all of it', () => {
    const brackets = '['.repeat(4_000_000);
    const before = process.cpuUsage();
    expect(() => parseJSON(brackets)).to.throw(SyntaxError, 'exceeded max depth');
    const { system, user } = process.cpuUsage(before);
    // JSON.parse alone takes some 200 ms to say that it ends too early.
    expect((user + system) / 1000).to.be.below(60);
  });

  it('counts neither what is in strings nor what has ended', () => {
    const text = JSON.stringify([`\\"${'['.repeat(600_000)}`, ...Array.from({ length: 20_000 }, () => [{}])]);
    expect(parseJSON(text)).to.deep.equal(JSON.parse(text));
  });
});
