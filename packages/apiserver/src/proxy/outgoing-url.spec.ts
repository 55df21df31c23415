import { expect } from 'chai';
import { encodeQuery, escapeDecodedPath, outgoingURL } from './outgoing-url.ts';

describe('outgoingURL', () => {
  const rows: readonly (readonly [url: string, expected: string])[] = [
    ['/apis/g/v1/things', '/apis/g/v1/things'],
    ['https://host:1/a?b', '/a?b='],
    ['https://host', '/'],
    ['/a?', '/a'],
    ['/a?b=2&a=1&flag&b=1', '/a?a=1&b=2&b=1&flag='],
    ['/a%20b/%C3%A4', '/a%20b/%C3%A4'],
    ['/a%2Fb', '/a/b'],
    ['/a(b)!', '/a%28b%29%21'],
    ['/a?x=%2F+y%20z&x=&%C3%A4=1', '/a?x=%2F+y+z&x=&%C3%A4=1'],
    ['/a?x=1;y=2&z=%zz&k=v', '/a?k=v'],
  ];
  for (const [url, expected] of rows)
    it(url, () => {
      expect(outgoingURL(url)).to.equal(expected);
    });
});

describe('escaping', () => {
  it('knows paths without escapes', () => {
    expect(escapeDecodedPath('/a b%2F/ä?')).to.equal('/a%20b%252F/%C3%A4%3F');
  });
  it('writes queries as url.Values.Encode does', () => {
    expect(
      encodeQuery([
        ['stdout', '1'],
        ['command', 'ls -l'],
        ['command', 'ä&='],
      ]),
    ).to.equal('command=ls+-l&command=%C3%A4%26%3D&stdout=1');
    expect(encodeQuery([])).to.equal('');
  });
});
