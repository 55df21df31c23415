import {
  applied,
  configMap,
  configMaps,
  jsonPatch,
  namespaced,
  nested,
  patch,
  post,
  strategic,
  yaml,
} from './api-requests.ts';
import { made, request, uncompared, bytes, type HostileRow } from './row.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const keys = (count: number): object => Object.fromEntries(many(count, (i) => [`key-${i}`, 'some text of it']));
const get = (path: string, more: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n{auth}${more}Connection: close\r\n\r\n`;
const forged = '%0AE0101%20forged%0D%1B%5B2J%00%7F%E2%80%A8';

/** What is heavy, or odd, for whoever writes everything down: bodies, answers, names, headers. */
const all: readonly HostileRow[] = [
  made('audited: 12 objects of a megabyte at once', () =>
    many(12, (i) => post(configMaps, JSON.stringify({ metadata: { name: `audited-${i}` }, data: keys(35_000) }))),
  ),
  made('audited: 20 lists of a dozen megabytes at once', () => many(20, () => ({ path: configMaps }))),
  made('audited: a deletion of all of them', () => [
    { method: 'DELETE', path: `${configMaps}?fieldSelector=metadata.name!%3Dkept`, body: '{}' },
  ]),
  made('audited: 3 MB of controls', () =>
    post(configMaps, `{"metadata":{"name":"h"},"data":{"a":"${String.raw`\u0000\u001b\n`.repeat(200_000)}"}}`),
  ),
  made('audited: 3 MB of what is no object', () => many(10, () => post(configMaps, `"${'a'.repeat(3_000_000)}"`))),
  made('audited: 60,000 keys that nobody knows', () =>
    many(6, () => post(configMaps, `{"metadata":{"name":"h"},${many(60_000, (i) => `"x${i}":{}`).join()}}`)),
  ),
  made('audited: 2,000 levels that nobody knows', () =>
    post(configMaps, `{"metadata":{"name":"h"},"x":${nested(2_000, '[', ']')}}`),
  ),
  made('audited: a definition of 1,000 levels', () => {
    const schema = nested(1_000, '{"items":', '}').replace('{"items":}', '{}');
    return post(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      `{"metadata":{"name":"a.b"},"spec":{"versions":[{"schema":{"openAPIV3Schema":${schema}}}]}}`,
    );
  }),
  made('audited: 6 pods of 20,000 containers', () =>
    many(6, () =>
      post(
        namespaced('pods'),
        JSON.stringify({
          metadata: { generateName: 'h-' },
          spec: { containers: many(20_000, (i) => ({ name: `c${i}`, image: 'i' })) },
        }),
      ),
    ),
  ),
  made('audited: patches of all kinds', () => [
    patch(jsonPatch, JSON.stringify(many(9_000, (i) => ({ op: 'add', path: `/data/k${i}`, value: 'v' })))),
    patch(strategic, JSON.stringify({ data: keys(20_000) })),
    applied(configMap({ metadata: { name: 'audited' }, data: keys(15_000) }), `${configMaps}/audited`),
    post(configMaps, `metadata: {name: y}\ndata:\n${many(50_000, (i) => ` k${i}: v`).join('\n')}`, yaml),
  ]),
  made('audited: 2,000 small requests at once', () =>
    many(2_000, () => post(`${configMaps}?dryRun=All`, '{"metadata":{"generateName":"h-"},"data":{"a":"b"}}')),
  ),
  made('audited: 300 watches', () => many(300, () => ({ path: `${configMaps}?watch=true&timeoutSeconds=1` }))),
  request('audited: names with lines and controls', [
    { path: `/api/v1/namespaces/hostile/configmaps/${forged}` },
    { path: `/api/v1/namespaces/${forged}/configmaps` },
    { path: `/apis/${forged}/v1/things` },
    { path: `/${forged}` },
    { path: `${configMaps}?fieldManager=${forged}&labelSelector=${forged}&continue=${forged}` },
    { path: `/api/v1/namespaces/hostile/pods/kept/exec?command=${forged}&container=${forged}` },
    { path: `/api/v1/namespaces/hostile/pods/kept/log?container=${forged}` },
    post(configMaps, JSON.stringify({ metadata: { name: decodeURIComponent(forged) } })),
    post(configMaps, JSON.stringify({ kind: decodeURIComponent(forged), apiVersion: decodeURIComponent(forged) })),
    post(configMaps, JSON.stringify({ metadata: { generateName: decodeURIComponent(forged) } })),
    patch(decodeURIComponent('a/b%09'), '{}'),
    patch('application/json-patch+json', JSON.stringify([{ op: decodeURIComponent(forged), path: '/\n' }])),
  ]),
  bytes('audited: a user agent of all bytes', [
    'GET /version HTTP/1.1\r\nHost: a\r\n{auth}User-Agent: ',
    Buffer.from(many(256, (i) => i).filter((i) => i > 31 && i !== 127)),
    '\tforged\r\nConnection: close\r\n\r\n',
  ]),
  bytes('audited: a user agent with an escape', [
    'GET /version HTTP/1.1\r\nHost: a\r\n{auth}User-Agent: \u001b[2Jforged\r\nConnection: close\r\n\r\n',
  ]),
  bytes(
    'audited: 20,000 groups that are impersonated',
    get('/version', `Impersonate-User: a\r\n${'Impersonate-Group: g\r\n'.repeat(20_000)}`),
  ),
  bytes('audited: forwarded for 100,000 others', get('/version', `X-Forwarded-For: ${'1.2.3.4,'.repeat(100_000)}\r\n`)),
  bytes('audited: an id of 500 KB', get('/version', `Audit-ID: ${'a'.repeat(500_000)}\r\n`)),
  made('audited: paths of 100 KB, 300 times', () => many(300, () => ({ path: `/${'a/'.repeat(25_000)}` }))),
  made('audited: reviews of tokens and of rights', () => [
    ...many(50, (i) =>
      post('/apis/authentication.k8s.io/v1/tokenreviews', `{"spec":{"token":"${'t'.repeat(10_000)}${i}"}}`),
    ),
    ...many(50, () =>
      post(
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        JSON.stringify({ spec: { resourceAttributes: { name: 'a\n'.repeat(10_000), verb: '\u001b' } } }),
      ),
    ),
  ]),
];

export const auditRows: readonly HostileRow[] = all.map(uncompared);
