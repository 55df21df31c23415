import { expect } from 'chai';
import { fieldsText, headersOf, readFields } from './fields.ts';
import { LinkProtocolError } from './frames.ts';

describe('fields of a link', () => {
  const lists: readonly (readonly string[])[] = [
    [],
    [''],
    ['', ''],
    ['GET', '/api?x=1', 'Accept', '*/*'],
    ['name', Buffer.from('größe ✓').toString('latin1')],
  ];
  for (const list of lists)
    it(`are read as they were written: ${JSON.stringify(list)}`, () => {
      expect(readFields(Buffer.from(fieldsText(list) as string, 'latin1'))).to.deep.equal(list);
    });
  it('are none when one of them would be read as two', () => {
    expect(fieldsText(['a', 'b\nX-Remote-User'])).to.equal(undefined);
  });
  it('are refused without their end', () => {
    expect(() => readFields(Buffer.from('a\nb'))).to.throw(LinkProtocolError);
  });
  it('make the headers that Node makes of them', () => {
    expect({
      ...headersOf(['Accept', 'a', 'accept', 'b', 'Host', 'x', 'host', 'y', 'Cookie', 'c', 'cookie', 'd'], {
        via: 'z',
      }),
    }).to.deep.equal({ accept: 'a, b', host: 'x', cookie: 'c; d', via: 'z' });
  });
});
