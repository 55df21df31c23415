import { expect } from 'chai';
import { decodeJSON } from './decode.ts';
import { decodeRecord } from './decode-record.ts';
import { hasLoneEscapedKey } from './escaped-key.ts';

describe('keys that are one escaped character', () => {
  it('are found, and only they', () => {
    for (const text of ['{"\\n":1}', '{"a":{"\\"" : 1}}', '{"\\u000a":1}', '{"\\\\":1}'])
      expect(hasLoneEscapedKey(text), text).to.equal(true);
    for (const text of [
      '{"n":1}',
      '{"\\n":"\\n"}'.slice(6),
      '{"a":"\\n"}',
      '{"\\na":1}',
      '{"a":"{\\"a\\":1}"}',
      '{"k:{\\"a\\":1}":1}',
    ])
      expect(hasLoneEscapedKey(text), text).to.equal(false);
  });

  // On a V8 that has the mistake, JSON.parse reads the second key of each as `\`.
  for (const [name, decode] of [
    ['requests', (text: string): object => decodeJSON(Buffer.from(text), undefined, {}).object],
    ['records', (text: string): object => decodeRecord(Buffer.from(text))],
  ] as const) {
    it(`are told from a backslash in ${name}`, () => {
      for (const [text, key] of [
        ['\\\\', '\\'],
        ['\\n', '\n'],
        ['\\"', '"'],
        ['\\u0009', '\t'],
        ['\\\\', '\\'],
        ['\\r', '\r'],
      ] as const) {
        const object = decode(`{"apiVersion":"a/v1","kind":"K","data":{"h":1,"${text}":2}}`) as {
          readonly data: object;
        };
        expect(Object.keys(object.data)).to.deep.equal(['h', key]);
      }
    });
  }
});
