import { configMaps, post, review } from './api-requests.ts';
import { bytes, made, request, uncompared, type HostileRow } from './row.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n{auth}${more}\r\n`;
const at = (query: string): string => get(`${configMaps}?${query}`);
const header = (name: string, text: string, as: HostileRow['as'] = 'user'): HostileRow =>
  bytes(name, get('/version', text), as);
const of = (name: string, value: string): string => `${name}: ${value}\r\n`;
const k = (count: number, text: string): string => text.repeat(count);

/** Heads of requests, their headers and queries, as nobody would write them. */
const all: readonly HostileRow[] = [
  header('Accept: 50,000 types', of('Accept', k(50_000, 'a/b;q=0.1,'))),
  header('Accept: one type with 50,000 parameters', of('Accept', `a/b${k(50_000, ';a=b')}`)),
  header('Accept: quotes that do not end', of('Accept', `a/b;a="${k(300_000, '\\"')}`)),
  header('Accept: 100,000 weights', of('Accept', k(100_000, '*/*;q=1.,'))),
  bytes(
    'Accept: tables of everything',
    get(configMaps, of('Accept', k(9_000, 'application/json;as=Table;v=v1;g=meta.k8s.io,'))),
  ),
  bytes(
    'Accept: 20,000 kinds that are none',
    get(configMaps, of('Accept', k(20_000, 'application/json;as=Nothing;v=v1;g=a.b,'))),
  ),
  header('Accept-Encoding: 100,000 codings', of('Accept-Encoding', k(100_000, 'gzip;q=0,'))),
  header('User-Agent: 900 KB of slashes', of('User-Agent', k(900_000, '/'))),
  header('User-Agent: 900 KB of blanks', of('User-Agent', `a${k(900_000, ' ')}b`)),
  header('X-Forwarded-For: 100,000 addresses', of('X-Forwarded-For', k(100_000, '1.1.1.1,'))),
  header('X-Forwarded-For: 300,000 colons', of('X-Forwarded-For', k(300_000, ':'))),
  header('X-Real-Ip: 300 KB', of('X-Real-Ip', k(300_000, '1.'))),
  header('traceparent: 500 KB', of('traceparent', `00-${k(250_000, 'ab')}`)),
  header(
    'tracestate: 100,000 members',
    of('traceparent', `00-${k(16, 'ab')}-${k(8, 'ab')}-01`) + of('tracestate', k(100_000, 'a=b,')),
  ),
  header(
    'baggage: 100,000 members',
    of('traceparent', `00-${k(16, 'ab')}-${k(8, 'ab')}-01`) + of('baggage', k(100_000, 'a=b;c=d,')),
  ),
  header('baggage: 900 KB of percents', of('baggage', `a=${k(300_000, '%41')}`)),
  header('Audit-ID: 500 KB', of('Audit-ID', k(500_000, 'a'))),
  header('Origin: 500 KB', of('Origin', `https://${k(250_000, 'a.')}`)),
  header('Origin: 500 KB of slashes', of('Origin', k(500_000, '/'))),
  header('Content-Type: 100,000 parameters', of('Content-Type', `a/b${k(100_000, ';a=b')}`)),
  header('Range: 100,000 ranges', of('Range', `bytes=${k(100_000, '0-1,')}`)),
  header('If-None-Match: 100,000 tags', of('If-None-Match', k(100_000, '"a",'))),
  header('Authorization: 300,000 blanks', of('Authorization', `Bearer${k(300_000, ' ')}a`), 'nobody'),
  header('Authorization: 20,000 of them', of('Authorization', 'Bearer a').repeat(20_000), 'nobody'),
  header('Authorization: a token of 300,000 points', of('Authorization', `Bearer ${k(300_000, '.')}`), 'nobody'),
  header('Authorization: basic, 500 KB', of('Authorization', `Basic ${k(500_000, 'Og==')}`), 'nobody'),
  header(
    'Impersonate-Extra: 5,000 names of percents',
    many(5_000, (i) => of(`Impersonate-Extra-%2${i}`, 'a')).join('') + of('Impersonate-User', 'b'),
  ),
  header(
    'Impersonate-User: a service account of 500 KB',
    of('Impersonate-User', `system:serviceaccount:${k(250_000, 'a:')}`),
  ),
  header('Impersonate-User: nobody, groups alone', of('Impersonate-Group', 'system:masters')),
  header('Cookie: 900 KB', of('Cookie', k(225_000, 'a=b;'))),
  header('Connection: 100,000 names', of('Connection', k(100_000, 'x-a,'))),
  header('Upgrade: 100,000 names', `Connection: Upgrade\r\n${of('Upgrade', k(100_000, 'x,'))}`),
  header('Expect: 500 KB', of('Expect', k(500_000, 'a'))),
  bytes('Host: 500 KB', `GET /version HTTP/1.1\r\nHost: ${k(500_000, 'a')}\r\n{auth}\r\n`),
  bytes('Host: an address that is none', `GET /version HTTP/1.1\r\nHost: [${k(200_000, ':')}]\r\n{auth}\r\n`),
  header(
    'X-Kubechain-*: everything',
    ['Server-Timing', 'Observe', 'Traced', 'Decision', 'Identity', 'Client-Address']
      .map((name) => of(`X-Kubechain-${name}`, k(10_000, 'MQ==')))
      .join(''),
  ),
  header(
    'Sec-WebSocket-Extensions: 100,000',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n' +
      of('Sec-WebSocket-Extensions', k(50_000, 'permessage-deflate;a=b,')),
  ),
  bytes('a query of 300,000 names', at(k(300_000, 'a&'))),
  bytes('a query of 100,000 selectors', at(k(40_000, 'labelSelector=a%3Db&'))),
  bytes('a query of 900 KB of percents', at(`a=${k(300_000, '%61')}`)),
  bytes('labelSelector: 200,000 requirements', at(`labelSelector=${k(200_000, 'a,')}a`)),
  bytes('labelSelector: 100,000 values', at(`labelSelector=a+in+(${k(100_000, 'b,')}b)`)),
  bytes('labelSelector: 400,000 brackets', at(`labelSelector=${k(400_000, '(')}`)),
  bytes('labelSelector: 400,000 exclamations', at(`labelSelector=${k(400_000, '!')}a`)),
  bytes('labelSelector: 800,000 blanks', at(`labelSelector=a${k(800_000, '+')}in+(b)`)),
  bytes('labelSelector: a value of 800 KB', at(`labelSelector=a%3D${k(800_000, 'b')}`)),
  bytes('labelSelector: numbers of 400,000 digits', at(`labelSelector=a%3E${k(400_000, '9')}`)),
  bytes('labelSelector: values that are not in, of 100,000', at(`labelSelector=${k(9_000, 'a+notin+(b,c,d),')}a`)),
  bytes('fieldSelector: 60,000 names', at(`fieldSelector=${k(40_000, 'metadata.name!%3Da,')}metadata.name!%3Da`)),
  bytes('fieldSelector: 400,000 backslashes', at(`fieldSelector=metadata.name%3D${k(400_000, '\\\\')}`)),
  bytes('fieldSelector: a path of 800 KB', at(`fieldSelector=${k(400_000, 'a.')}b%3Dc`)),
  bytes('fieldSelector: prototypes', at('fieldSelector=__proto__%3Da,constructor%3Db,metadata.__proto__%3Dc')),
  bytes(
    'fieldSelector of a watch: 40,000 names',
    at(`watch=true&timeoutSeconds=1&fieldSelector=${k(40_000, 'metadata.name!%3Da,')}metadata.name!%3Da`),
  ),
  bytes('limit: of 500 KB', at(`limit=${k(500_000, '9')}`)),
  bytes('limit: hexadecimal, negative, beyond', at('limit=-9223372036854775809&limit=0x10')),
  bytes('continue: 900 KB', at(`limit=1&continue=${k(900_000, 'A')}`)),
  bytes('resourceVersion: 900 KB', at(`resourceVersion=${k(900_000, '9')}`)),
  bytes('resourceVersionMatch: 900 KB', at(`resourceVersion=1&resourceVersionMatch=${k(900_000, 'E')}`)),
  bytes('timeout: 900 KB of units', get(`${configMaps}?timeout=${k(300_000, '1ns')}`)),
  bytes('timeout: 900 KB of points', get(`${configMaps}?timeout=1${k(800_000, '.')}s`)),
  bytes('pretty: 100,000 times', at(k(80_000, 'pretty=true&'))),
  bytes('fieldManager: 500 KB', at(`fieldManager=${k(500_000, 'a')}`)),
  bytes('fieldValidation: 500 KB', at(`fieldValidation=${k(500_000, 'a')}`)),
  bytes('dryRun: 90,000 times', at(k(90_000, 'dryRun=All&'))),
  bytes('a path of 400,000 parts', get(`/${k(400_000, 'a/')}`)),
  bytes('a path of 300,000 dots', get(`/api/v1/${k(300_000, '../')}`)),
  bytes('a path of 400,000 slashes', get(`/api${k(400_000, '/')}v1`)),
  bytes('a name of 800 KB', get(`${configMaps}/${k(800_000, 'a')}`)),
  bytes('a namespace of 800 KB', get(`/api/v1/namespaces/${k(800_000, 'a')}/configmaps`)),
  bytes('a group of 800 KB', get(`/apis/${k(800_000, 'a')}/v1/things`)),
  bytes('a watch of old, by path', get(`/api/v1/watch/namespaces/hostile/configmaps/${k(500_000, 'a')}`)),
  bytes('openapi: a group of 500 KB', get(`/openapi/v3/apis/${k(500_000, 'a')}/v1?hash=${k(300_000, 'F')}`)),
  bytes('healthz: 100,000 exclusions', get(`/readyz?${k(80_000, 'exclude=a&')}`)),
  bytes('metrics, by the ordinary user', get('/metrics')),
  bytes('flagz, statusz, configz, by the ordinary user', get('/statusz') + get('/flagz') + get('/configz')),
  request(
    'what is for debuggers',
    [
      '/debug/pprof/',
      '/debug/flags/v',
      '/debug/api_priority_and_fairness/dump_requests',
      '/.kubechain/link',
      '/.kubechain/discovery',
      '/logs/..%2f..%2fetc/passwd',
      '/.well-known/openid-configuration',
      '/openid/v1/jwks',
    ].map((path) => ({ path })),
    'nobody',
  ),
  made('a review of 20,000 groups', () =>
    post(
      review,
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { nonResourceAttributes: { path: k(500_000, '/a'), verb: k(100_000, 'get') } },
      }),
    ),
  ),
  made('a review of selectors of 20,000 requirements', () =>
    post(
      review,
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: {
            namespace: 'hostile',
            verb: 'list',
            resource: 'pods',
            fieldSelector: { rawSelector: k(20_000, 'a=b,') },
            labelSelector: {
              requirements: many(20_000, (i) => ({ key: `k${i}`, operator: 'In', values: ['a', 'b'] })),
            },
          },
        },
      }),
    ),
  ),
];

export const oddRows: readonly HostileRow[] = all.map(uncompared);
