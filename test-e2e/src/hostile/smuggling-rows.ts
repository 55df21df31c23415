import { bytes, uncompared, type HostileRow } from './row.ts';

const post =
  'POST /api/v1/namespaces/hostile/configmaps HTTP/1.1\r\nHost: a\r\n{auth}Content-Type: application/json\r\n';
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n{auth}${more}\r\n`;
/** What must not be answered: it stands in a body, or behind one whose end is in doubt. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n{auth}\r\n';

/** Requests whose end two servers could see in different places, and paths that they could read otherwise. */
const all: readonly HostileRow[] = [
  bytes('chunks twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`),
  bytes('chunks, then identity', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${smuggled}`),
  bytes('identity alone', `${post}Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}${smuggled}`),
  bytes('chunks in quotes', `${post}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n${smuggled}`),
  bytes('chunks behind a vertical tab', `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${smuggled}`),
  bytes('chunks on the next line', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`),
  bytes('packed chunks', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${smuggled}`),
  bytes('a length in hexadecimal', `${post}Content-Length: 0x2\r\n\r\n{}${smuggled}`),
  bytes('a length with an underscore', `${post}Content_Length: 200\r\nContent-Length: 2\r\n\r\n{}${smuggled}`),
  bytes('a length behind a vertical tab', `${post}Content-Length: \x0b2\r\n\r\n{}${smuggled}`),
  bytes('a length with a blank before the colon', `${post}Content-Length : 2\r\n\r\n{}${smuggled}`),
  bytes('a length with a fraction', `${post}Content-Length: 2.0\r\n\r\n{}${smuggled}`),
  bytes('a length that is empty', `${post}Content-Length:\r\n\r\n${smuggled}`),
  bytes('a chunk size with a sign', `${post}Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n${smuggled}`),
  bytes('a chunk size in hexadecimal, it says', `${post}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n`),
  bytes('a chunk size behind a blank', `${post}Transfer-Encoding: chunked\r\n\r\n 2\r\n{}\r\n0\r\n\r\n${smuggled}`),
  bytes('a chunk size with a line feed alone', `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n`),
  bytes('a chunk with more than it says', `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}xx0\r\n\r\n${smuggled}`),
  bytes('a chunk extension with a line feed', `${post}Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n0\r\n\r\n`),
  bytes('a chunk extension in quotes', `${post}Transfer-Encoding: chunked\r\n\r\n2;a="\r\n"\r\n{}\r\n0\r\n\r\n`),
  bytes('50,000 chunks, each with an extension', [
    `${post}Transfer-Encoding: chunked\r\n\r\n`,
    `1;${'a'.repeat(50)}\r\n{\r\n`.repeat(50_000),
    '0\r\n\r\n',
  ]),
  bytes('20,000 trailers', [
    `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`,
    Array.from({ length: 20_000 }, (_, i) => `X-${i}: a\r\n`).join(''),
    '\r\n',
  ]),
  bytes('a trailer that authorizes', [
    'GET /api/v1/secrets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n{auth}\r\n',
  ]),
  bytes('Connection names the length', `${post}Connection: Content-Length\r\nContent-Length: 2\r\n\r\n{}`),
  bytes(
    'Connection names the chunks',
    `${post}Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  bytes('an upgrade that carries another request', [
    `GET /version HTTP/1.1\r\nHost: a\r\n{auth}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n` +
      `HTTP2-Settings: \r\nContent-Length: 10\r\n\r\n0123456789`,
    get('/version'),
  ]),
  bytes('a path that is escaped twice', get('/api/v1/namespaces/hostile%252f..%252fkube-system/secrets')),
  bytes('a path of backslashes', get('/api/v1/namespaces/hostile\\..\\kube-system/secrets')),
  bytes('a path with escaped backslashes', get('/api/v1/namespaces/hostile%5c..%5ckube-system/secrets')),
  bytes('a path with escaped dots in each part', get('/%61pi/v1/namespaces/%2e%2e/%6bube-system/secrets')),
  bytes('a path with parameters in each part', get('/api;a=b/v1;c/namespaces;d/kube-system;e/secrets;f')),
  bytes('a path with too long UTF-8', get('/api/v1/namespaces/hostile%c0%af..%c0%afkube-system/secrets')),
  bytes('a path with escapes of another kind', get('/api/v1/namespaces/%u002e%u002e/secrets')),
  bytes('a path of 100,000 escapes', get(`/api/v1/namespaces/${'%61'.repeat(100_000)}/configmaps`)),
  bytes('a path with an escaped question', get('/api/v1/namespaces/kube-system/secrets%3fwatch=true')),
  bytes('a path with an escaped line break', get('/api/v1/namespaces/a%0d%0aX-Remote-User:%20admin/configmaps')),
  bytes('a query of 50,000 semicolons', get(`/api/v1/namespaces/hostile/configmaps?${'limit=1;'.repeat(50_000)}`)),
  bytes('a query of broken escapes', get(`/api/v1/namespaces/hostile/configmaps?${'%zz=%&'.repeat(20_000)}`)),
];

export const smugglingRows: readonly HostileRow[] = all.map(uncompared);
