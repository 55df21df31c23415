import { expect } from 'chai';
import { readerError } from './reader-error.ts';
import { readYAML } from './yaml.ts';

describe('readerError', () => {
  const rows: readonly (readonly [name: string, bytes: Buffer, error: string | undefined])[] = [
    ['characters of all lengths', Buffer.from('a: ü€😀\u0085\n\t'), undefined],
    ['a continuation alone', Buffer.from('6180', 'hex'), 'invalid leading UTF-8 octet'],
    ['a byte of no character', Buffer.from('ff', 'hex'), 'invalid leading UTF-8 octet'],
    ['a character cut by another', Buffer.from('c361', 'hex'), 'invalid trailing UTF-8 octet'],
    ['a character cut by the end', Buffer.from('61e282', 'hex'), 'incomplete UTF-8 octet sequence'],
    ['an overlong character', Buffer.from('c080', 'hex'), 'invalid length of a UTF-8 sequence'],
    ['a surrogate', Buffer.from('eda080', 'hex'), 'invalid Unicode character'],
    ['a character behind the last', Buffer.from('f4908080', 'hex'), 'invalid Unicode character'],
    ['a control character before bad bytes', Buffer.from('01ff', 'hex'), 'control characters are not allowed'],
    ['U+FFFE', Buffer.from('\uFFFE'), 'control characters are not allowed'],
    ['DEL', Buffer.from('7f', 'hex'), 'control characters are not allowed'],
  ];
  for (const [name, bytes, error] of rows)
    it(name, () => {
      expect(readerError(bytes)).to.equal(error);
    });

  it('is found in what looks like JSON, too', async () => {
    for (const hex of ['ff', 'c3', 'e282']) {
      const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]);
      const refused: unknown = await readYAML(bytes).catch((error: unknown) => error);
      expect((refused as Error).message).to.match(/^yaml: invalid (?:leading|trailing) UTF-8 octet$/);
    }
  });
});
