import { expect } from 'chai';
import { formatCheck } from './formats.ts';
import { parseRequestURI, parseURL } from '@kubechain/apimachinery';

/** What Go's own packages say (net/mail, net/url, net, time), and the patterns of kube-openapi. */
const rows: readonly (readonly [format: string, good: readonly string[], bad: readonly string[]])[] = [
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', 'zz7f1f77bcf86cd799439011']],
  [
    'uri',
    ['https://u:p@h.x:80/p?q', '/abs', 'mailto:x@y', '*', 'http://[::1]:8', 'mysql://a:1,b:2/'],
    [
      'http://a:80:80/',
      'http://::1/',
      'not a uri',
      'a/b',
      'http://h/%zz',
      'http://h:x/',
      'http://a b/',
      'http://[:1]:8',
      '',
    ],
  ],
  [
    'email',
    [
      'a@example.com',
      'Ann <a@b.c>',
      '"q s"@x.y',
      '<a@b>',
      'a@b (c)',
      'a@[127.0.0.1]',
      'us: a@b;',
      'A. "B" C <a@b>',
      'A (c (d)) B <a@b>',
      '"" <a@b>',
      'a@ b',
      '=?utf-8?q?A?= <a@b>',
    ],
    [
      'nope',
      '.a@b',
      'a..b@c',
      'a@b,c@d',
      'a@[1270.0.1]',
      'a@b.',
      'us: a@b, c@d;',
      'us:;',
      '""@b',
      'A (c <a@b>',
      'a@b)',
      'a b@c',
      '=?koi8-r?q?A?= <a@b>',
    ],
  ],
  ['hostname', ['example.com', 'a', '1a.example'], ['exa_mple', '-a', 'x'.repeat(64), '']],
  ['ipv4', ['1.2.3.4', '01.02.03.04', '::ffff:1.2.3.4'], ['1.2.3', '1.2.3.256', '::1']],
  ['ipv6', ['::1', '2001:db8::1', '::ffff:1.2.3.4'], ['1.2.3.4', '1::2::3', 'fe80::1%eth0', '12345::']],
  ['cidr', ['10.0.0.0/8', '::/0', '010.0.0.1/8'], ['10.0.0.0', '10.0.0.0/33']],
  [
    'mac',
    [
      '01:23:45:67:89:ab',
      '01-23-45-67-89-AB',
      '0123.4567.89ab',
      '01:23:45:67:89:ab:cd:ef',
      '0123456789ab',
      '0123456789abcdef',
    ],
    ['0123456789abc', '01:23-45:67:89:ab', '0123.4567', 'x'],
  ],
  ['uuid', ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc999c0b4ef8bb6d6bb9bd380a11'], ['a0eebc99']],
  ['uuid3', ['6fa459ea-ee8a-3ca4-894e-db77e160355e'], ['6fa459ea-ee8a-4ca4-894e-db77e160355e']],
  ['uuid4', ['6fa459ea-ee8a-4ca4-894e-db77e160355e'], ['6fa459ea-ee8a-4ca4-194e-db77e160355e']],
  ['uuid5', ['886313e1-3b8a-5372-9b90-0c9aee199e5d'], ['886313e1-3b8a-4372-9b90-0c9aee199e5d']],
  ['isbn', ['0321751043', '978-0321751041'], ['0321751044', '123']],
  ['creditcard', ['4111 1111 1111 1111'], ['4111111111111112', '1234']],
  ['ssn', ['111-11-1111'], ['111111111', '1']],
  ['hexcolor', ['#FFF', 'ffffff'], ['#ffff', 'zzz']],
  ['rgbcolor', ['rgb(1, 2,255)'], ['rgb(1,2,300)', 'rgb(1,2)']],
  ['byte', ['aGVsbG8='], ['aGVsbG8', 'not base64!', '']],
  ['password', ['', 'x'], []],
  ['date', ['2020-02-29'], ['2021-02-29', '2020-13-01', '2020-2-1']],
  ['duration', ['1h30m', '3 days', '22 ns', '2wk'], ['90', 'x', '']],
  [
    'date-time',
    ['2014-12-15T19:30:20.000Z', '2014-12-15t19:30:20+01:00'],
    ['2014-12-15', '2014-12-15T24:00:00Z', '2014-12-15T19:30:20'],
  ],
  ['k8s-short-name', ['a-b'], ['A-b', 'a.b', 'a'.repeat(64)]],
  ['k8s-long-name', ['a-b.c'], ['a..b', 'A']],
];

describe('formats', () => {
  for (const [format, good, bad] of rows) {
    it(format, () => {
      const check = formatCheck(format);
      expect([...good, ...bad].map((text) => `${text}: ${String(check?.(text))}`)).to.deep.equal([
        ...good.map((text) => `${text}: true`),
        ...bad.map((text) => `${text}: false`),
      ]);
    });
  }

  it('reads a long text that is no mail address as fast as one that is', () => {
    for (const text of ['a-'.repeat(20_000), '"a\\" '.repeat(20_000), '('.repeat(20_000), 'a '.repeat(20_000)])
      expect(formatCheck('email')?.(text), text.slice(0, 5)).to.equal(false);
  });

  it('names no others', () => {
    expect(formatCheck('colour')).to.equal(undefined);
  });

  it("gives the texts of Go's url parser", () => {
    expect(parseURL('a b:c')).to.equal('parse "a b:c": first path segment in URL cannot contain colon');
    expect(parseURL('https://h:x/p#f')).to.equal('parse "https://h:x/p": invalid port ":x" after host');
    expect(parseURL(':foo')).to.equal('parse ":foo": missing protocol scheme');
    expect(parseRequestURI('a/b')).to.equal('parse "a/b": invalid URI for request');
    expect(parseURL('https://u:p@h.x:80/p?q#f')).to.deep.equal({
      scheme: 'https',
      path: '/p',
      opaque: '',
      host: 'h.x:80',
      user: 'u:p',
      fragment: 'f',
      rawQuery: 'q',
    });
  });
});
