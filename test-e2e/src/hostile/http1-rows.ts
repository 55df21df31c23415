import { gzipSync } from 'node:zlib';
import { bytes, type HostileRow } from './row.ts';

const post =
  'POST /api/v1/namespaces/hostile/configmaps HTTP/1.1\r\nHost: a\r\n{auth}Content-Type: application/json\r\n';
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n{auth}${more}\r\n`;
const webSocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ' +
  'AAAAAAAAAAAAAAAAAAAAAA==\r\n';

/** Shapes of HTTP/1.1 that servers behind a server read in another way, and such as cost more than they should. */
export const http1Rows: readonly HostileRow[] = [
  bytes('a timeout that patterns choke on', get(`/version?timeout=${'1'.repeat(60)}x`), 'nobody'),
  bytes('a timeout of 60,000 digits', get(`/version?timeout=${'1'.repeat(60_000)}x`), 'nobody'),
  bytes(
    'both length and chunks',
    `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n`,
  ),
  bytes('two lengths', `${post}Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}GET /x HTTP/1.1\r\nHost: a\r\n\r\n`),
  bytes('a length with a sign', `${post}Content-Length: +2\r\n\r\n{}`),
  bytes('a negative length', `${post}Content-Length: -1\r\n\r\n{}`),
  bytes('a length beyond all numbers', `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`),
  bytes('a length that is a list', `${post}Content-Length: 2, 2\r\n\r\n{}`),
  bytes('chunks in disguise', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`),
  bytes('chunks and something else', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`),
  bytes('chunks with a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`),
  bytes('a chunk size beyond all numbers', `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n{}`),
  bytes(
    'a chunk with a long extension',
    `${post}Transfer-Encoding: chunked\r\n\r\n2;${'a=b;'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ),
  bytes('chunks of one byte each', [
    `${post}Transfer-Encoding: chunked\r\n\r\n`,
    '1\r\n{\r\n'.repeat(100_000),
    '0\r\n\r\n',
  ]),
  bytes(
    'trailers that speak for a user',
    `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Remote-User: admin\r\n\r\n`,
  ),
  bytes('a folded header', get('/version', 'X-A: b\r\n c\r\n')),
  bytes('a header without a name', get('/version', ': b\r\n')),
  bytes('a zero byte in a header', get('/version', 'X-A: b\0c\r\n')),
  bytes('line feeds alone', 'GET /version HTTP/1.1\nHost: a\n\n'),
  bytes('no host', 'GET /version HTTP/1.1\r\n{auth}\r\n'),
  bytes('two hosts', get('/version', 'Host: b\r\n')),
  bytes('ten thousand headers', get('/version', Array.from({ length: 10_000 }, (_, i) => `X-${i}: a\r\n`).join(''))),
  bytes('one header of two megabytes', get('/version', `X-A: ${'a'.repeat(2_000_000)}\r\n`)),
  bytes('a path of a megabyte', get(`/${'a'.repeat(1_000_000)}`)),
  bytes('a query of half a megabyte', get(`/api/v1/namespaces/hostile/configmaps?${'a=b&'.repeat(120_000)}`)),
  bytes('a path of slashes', get('/'.repeat(50_000))),
  bytes('a path of dots', get('/../'.repeat(10_000))),
  bytes('a path with broken escapes', get('/api/v1/namespaces/%/configmaps/%zz/%c0%ae')),
  bytes('a path with escaped slashes', get('/api/v1/namespaces/hostile%2f..%2fkube-system/configmaps')),
  bytes('an absolute address', get('https://elsewhere.example/version')),
  bytes('an address of another scheme', get('file:///etc/passwd')),
  bytes('an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n{auth}\r\n'),
  bytes('CONNECT', 'CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: a\r\n{auth}\r\n'),
  bytes('TRACE', 'TRACE /version HTTP/1.1\r\nHost: a\r\n{auth}\r\n'),
  bytes('a method of its own', 'BREW /api/v1/pods HTTP/1.1\r\nHost: a\r\n{auth}\r\n'),
  bytes('a method of 10,000 letters', `${'A'.repeat(10_000)} / HTTP/1.1\r\nHost: a\r\n\r\n`),
  bytes('HTTP/0.9', 'GET /version\r\n\r\n'),
  bytes(
    'HTTP/1.0 with chunks',
    'POST /api/v1/namespaces/hostile/configmaps HTTP/1.0\r\n{auth}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ),
  bytes('HTTP/9.9', 'GET /version HTTP/9.9\r\nHost: a\r\n\r\n'),
  bytes('HTTP/2 without saying so before', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  bytes('noise', [Uint8Array.from({ length: 4_096 }, (_, i) => (i * 197 + 31) % 256)]),
  bytes('an expectation', `${post}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`),
  bytes('an expectation that nobody knows', `${post}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`),
  bytes('a thousand requests at once on one connection', get('/version').repeat(1_000)),
  bytes('a refused body with more behind it', [
    `${post}Content-Length: 8000000\r\n\r\n`,
    'a'.repeat(8_000_000),
    get('/version'),
  ]),
  bytes('a packed body', [
    `${post}Content-Encoding: gzip\r\nContent-Length: ${gzipSync('{}').length}\r\n\r\n`,
    gzipSync('{}'),
  ]),
  bytes('a packed bomb', [
    `${post}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
    chunk(gzipSync(Buffer.alloc(64 << 20))),
    '0\r\n\r\n',
  ]),
  bytes(
    'an upgrade to nothing known',
    get('/api/v1/namespaces/hostile/pods/p/exec?command=a', 'Connection: Upgrade\r\nUpgrade: h2c, tardis/1\r\n'),
  ),
  bytes(
    'an upgrade to HTTP/2',
    get('/version', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
  ),
  bytes('an upgrade of a path that has none', get('/version', webSocket)),
  bytes(
    'an upgrade behind a request that is not answered yet',
    get('/version') + get('/nothing', 'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n'),
    'nobody',
  ),
  bytes(
    'an upgrade with a body',
    `POST /api/v1/namespaces/hostile/pods/p/exec?command=a HTTP/1.1\r\nHost: ` +
      `a\r\n{auth}${webSocket}Content-Length: 5\r\n\r\nhello`,
  ),
  bytes('an upgrade by a user who may not', get('/api/v1/namespaces/kube-system/pods/p/exec?command=a', webSocket)),
  bytes('an upgrade by nobody', get('/api/v1/namespaces/hostile/pods/p/exec?command=a', webSocket), 'nobody'),
  bytes('an upgrade to SPDY with noise behind it', [
    get('/api/v1/namespaces/hostile/pods/p/portforward?ports=1', 'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n'),
    Uint8Array.from({ length: 4_096 }, (_, i) => i % 256),
  ]),
  bytes('a watch over WebSocket, and frames that are none', [
    get('/api/v1/namespaces/hostile/configmaps?watch=true', `Origin: https://a\r\n${webSocket}`),
    Uint8Array.from({ length: 8_192 }, () => 0xff),
  ]),
  bytes('a watch over WebSocket, and a frame of 2^63 bytes', [
    get('/api/v1/namespaces/hostile/configmaps?watch=true', `Origin: https://a\r\n${webSocket}`),
    Uint8Array.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
  ]),
  bytes('a watch over WebSocket, and 50,000 pings', [
    get('/api/v1/namespaces/hostile/configmaps?watch=true', `Origin: https://a\r\n${webSocket}`),
    Buffer.from('898000000000'.repeat(50_000), 'hex'),
  ]),
  bytes(
    'a user by headers of the front proxy',
    get('/api/v1/secrets', 'X-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n'),
  ),
  bytes(
    'a user by our own header',
    get(
      '/api/v1/secrets',
      'X-Kubechain-Identity: ' +
        `${Buffer.from('{"user":{"name":"a","groups":["system:masters"]}}').toString('base64')}\r\n`,
    ),
  ),
  bytes(
    'our own header, not readable',
    get('/version', 'X-Kubechain-Identity: %%%\r\nX-Kubechain-Decision: %%%\r\nX-Kubechain-Client: \xff\r\n'),
  ),
  bytes(
    'a header that Connection names away',
    get('/api/v1/secrets', 'Connection: Authorization, X-Remote-User, keep-alive\r\n'),
  ),
  bytes(
    'impersonation with extras of odd names',
    get(
      '/version',
      'Impersonate-User: a\r\nImpersonate-Extra-__proto__: b\r\nImpersonate-Extra-constructor: ' +
        'c\r\nImpersonate-Extra-%: d\r\n',
    ),
  ),
  bytes(
    'a token of 100 KB',
    `GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${'a.'.repeat(50_000)}\r\n\r\n`,
    'nobody',
  ),
  bytes(
    'a token with dots like a JWT',
    `GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ` +
      `${Buffer.from('{"alg":"none"}').toString('base64url')}` +
      `.${Buffer.from('{"iss":"https://kubernetes.default.svc"}').toString('base64url')}.\r\n\r\n`,
    'nobody',
  ),
  bytes(
    'Accept of 20,000 types',
    get('/api/v1/namespaces/hostile/configmaps', `Accept: ${'application/json;q=0.1,'.repeat(20_000)}*/*\r\n`),
  ),
  bytes(
    'Accept-Encoding of 20,000 codings',
    get('/api/v1/namespaces/hostile/configmaps', `Accept-Encoding: ${'gzip;q=0,'.repeat(20_000)}br\r\n`),
  ),
];

function chunk(content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]);
}
