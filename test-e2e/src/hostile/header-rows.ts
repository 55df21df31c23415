import { bytes, request, type HostileRow } from './row.ts';

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n{auth}${more}\r\n`;
const secrets = '/api/v1/namespaces/kube-system/secrets';

/** Headers that claim what is not so. */
export const headerRows: readonly HostileRow[] = [
  bytes('a host of 60 KB', `GET /version HTTP/1.1\r\nHost: ${'a'.repeat(60_000)}\r\n{auth}\r\n`),
  bytes('a host with a path', 'GET /version HTTP/1.1\r\nHost: a/../b?c#d\r\n{auth}\r\n'),
  bytes('a host that is empty', 'GET /version HTTP/1.1\r\nHost:\r\n{auth}\r\n'),
  bytes('an absolute address that contradicts the host', 'GET http://b/version HTTP/1.1\r\nHost: a\r\n{auth}\r\n'),
  bytes(
    'a client from 127.0.0.1, it says',
    get(
      secrets,
      'X-Forwarded-For: 127.0.0.1\r\nX-Real-Ip: 127.0.0.1\r\nForwarded: ' +
        'for=127.0.0.1;proto=https\r\nX-Forwarded-Host: localhost\r\nX-Forwarded-Proto: https\r\n',
    ),
  ),
  bytes('forwarded for 20,000 others', get('/version', `X-Forwarded-For: ${'10.0.0.1, '.repeat(20_000)}1\r\n`)),
  bytes('another path, it says', get('/version', `X-Original-Url: ${secrets}\r\nX-Rewrite-Url: ${secrets}\r\n`)),
  bytes(
    'another method, it says',
    'POST /api/v1/namespaces/hostile/configmaps/kept HTTP/1.1\r\nHost: a\r\n{auth}X-Http-Method-Override: ' +
      'DELETE\r\nX-Http-Method: DELETE\r\nContent-Length: 0\r\n\r\n',
  ),
  bytes('impersonation of an administrator', get(secrets, 'Impersonate-User: administrator\r\n')),
  bytes('impersonation of masters', get(secrets, 'Impersonate-User: eve\r\nImpersonate-Group: system:masters\r\n')),
  bytes('impersonation of a group alone', get('/version', 'Impersonate-Group: system:masters\r\n')),
  bytes('impersonation of nobody', get('/version', 'Impersonate-User:\r\n')),
  bytes('impersonation with odd bytes', [
    Buffer.concat([
      Buffer.from('GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer the-ordinary-user\r\nImpersonate-User: a'),
      Buffer.from([0x80, 0xff, 0xfe, 0xc0, 0xaf]),
      Buffer.from('\r\n\r\n'),
    ]),
  ]),
  bytes('impersonation of two users', get('/version', 'Impersonate-User: a\r\nImpersonate-User: b\r\n')),
  bytes(
    'impersonation by 5,000 groups',
    get('/version', `Impersonate-User: a\r\n${'Impersonate-Group: g\r\n'.repeat(5_000)}`),
  ),
  bytes(
    'impersonation with 5,000 extras',
    get(
      '/version',
      `Impersonate-User: a\r\n${Array.from({ length: 5_000 }, (_, i) => `Impersonate-Extra-E${i}: v\r\n`).join('')}`,
    ),
  ),
  bytes(
    'impersonation with a broken escape',
    get('/version', 'Impersonate-User: a\r\nImpersonate-Extra-%zz%: b\r\nImpersonate-Extra-%2e%2e%2f: c\r\n'),
  ),
  bytes('impersonation of a service account elsewhere', [
    get(secrets, 'Impersonate-User: system:serviceaccount:kube-system:default\r\n'),
  ]),
  bytes('impersonation of a name with colons', get(secrets, 'Impersonate-User: system:serviceaccount:::\r\n')),
  bytes(
    'an identity with an underscore for a hyphen',
    get(secrets, 'X_Remote_User: administrator\r\nX-Remote_Group: system:masters\r\n'),
  ),
  bytes(
    'an identity in the second of two headers',
    get(
      secrets,
      'X-Remote-User: eve\r\nX-Remote-User: administrator\r\nx-remote-group: a\r\nX-REMOTE-GROUP: system:masters\r\n',
    ),
  ),
  bytes('two tokens', 'GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer wrong\r\n{auth}\r\n'),
  bytes('a token with blanks', 'GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer  the-ordinary-user \r\n\r\n'),
  bytes('a token of another scheme', 'GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Basic ZXZlOmV2ZQ==\r\n\r\n'),
  bytes('an empty token', 'GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer\r\n\r\n', 'nobody'),
  bytes('an audit id of 100 KB', get('/version', `Audit-Id: ${'a'.repeat(100_000)}\r\n`)),
  bytes('an audit id with odd bytes', get('/version', 'Audit-Id: \x80\xff"\\u0000\r\n')),
  bytes(
    'a trace that lies',
    get('/version', `Traceparent: 00-${'f'.repeat(5_000)}-0-01\r\nTracestate: ${'a=b,'.repeat(5_000)}\r\n`),
  ),
  bytes('a user agent of 200 KB', get('/version', `User-Agent: ${'a'.repeat(200_000)}\r\n`)),
  bytes('ranges without end', get('/openapi/v2', `Range: bytes=${'0-,'.repeat(20_000)}0-\r\n`)),
  bytes('conditions without end', get('/openapi/v2', `If-None-Match: ${'"a",'.repeat(20_000)}"b"\r\n`)),
  bytes('an origin from elsewhere', get('/version', `Origin: https://${'a.'.repeat(20_000)}example\r\n`)),
  bytes(
    'a preflight',
    'OPTIONS /api/v1/secrets HTTP/1.1\r\nHost: a\r\nOrigin: https://a\r\nAccess-Control-Request-Method: GET\r\n\r\n',
    'nobody',
  ),
  bytes('a header of 20,000 commas', get('/version', `Accept: ${','.repeat(20_000)}\r\n`)),
  bytes('quotes without an end', get('/version', `Accept: application/json;a="${'\\"'.repeat(20_000)}\r\n`)),
  bytes('cookies', get('/version', `Cookie: ${'a=b; '.repeat(20_000)}\r\n`)),
  bytes('warnings and hints', get('/version', 'Warning: 299 - "a"\r\nEarly-Data: 1\r\nTE: trailers, chunked;q=0\r\n')),
  bytes('a length for a GET', 'GET /version HTTP/1.1\r\nHost: a\r\n{auth}Content-Length: 5\r\n\r\nhello'),
  bytes(
    'a trailer that is named',
    'POST /version HTTP/1.1\r\nHost: a\r\n{auth}Trailer: Authorization, Host\r\nTransfer-Encoding: ' +
      'chunked\r\n\r\n0\r\nHost: b\r\n\r\n',
  ),
  bytes('a carriage return alone', 'GET /version HTTP/1.1\rHost: a\r\n\r\n'),
  bytes('a request behind a blank line', `\r\n\r\n\r\n${get('/version')}`),
  bytes('a tab before the path', 'GET\t/version HTTP/1.1\r\nHost: a\r\n{auth}\r\n'),
  bytes('a path with blanks', 'GET /version /x HTTP/1.1\r\nHost: a\r\n{auth}\r\n'),
  bytes('a path with odd bytes', get('/api/v1/namespaces/\xff\xfe/pods')),
  bytes('a fragment', get('/version#/api/v1/secrets')),
  bytes('a path of semicolons', get(`/version${';a=b'.repeat(10_000)}`)),
  request('dots that are escaped', [
    { path: '/api/v1/namespaces/hostile/%2e%2e/kube-system/secrets' },
    { path: '/%2e%2e/api/v1/secrets' },
    { path: '/api/v1/namespaces/hostile/../kube-system/secrets' },
    { path: '/api/v1//secrets' },
    { path: '//api/v1/secrets' },
    { path: '/api/v1/namespaces//secrets' },
    { path: '/API/V1/secrets' },
    { path: '/api/v1/secrets/' },
    { path: '/api/v1/secrets%00' },
    { path: '/healthz/../api/v1/secrets' },
    { path: '/version/../api/v1/secrets' },
    { path: '/livez%2f..%2fapi%2fv1%2fsecrets' },
  ]),
  request('methods that are none', [
    { method: 'HEAD', path: secrets },
    { method: 'get', path: '/version' },
    { method: 'PROPFIND', path: '/version' },
    { method: 'PATCH', path: '/version' },
    { method: 'DELETE', path: '/' },
    { method: 'PUT', path: '/healthz' },
    { method: 'PURGE', path: '/openapi/v2' },
  ]),
  request('doors of other programs', [
    { path: '/debug/pprof/profile?seconds=60' },
    { path: '/debug/pprof/heap' },
    { path: '/metrics' },
    { path: '/logs/..%2f..%2fetc/passwd' },
    { path: '/configz' },
    { path: '/.well-known/openid-configuration' },
    { path: '/statusz' },
    { path: '/flagz' },
    { path: '/debug/api_priority_and_fairness/dump_requests' },
    { path: '/swagger-2.0.0.json' },
    { path: '/static/../../etc/passwd' },
  ]),
];
