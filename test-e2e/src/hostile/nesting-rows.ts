import {
  applied,
  columnsAt,
  configMap,
  configMaps,
  definition,
  definitions,
  jsonPatch,
  namespaced,
  patch,
  pod,
  post,
  review,
  strategic,
  yaml,
} from './api-requests.ts';
import { bytes, made, request, uncompared, type HostileRow } from './row.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };
const custom = (plural: string, body: object): ReturnType<typeof post> =>
  post(
    `/apis/hostile.example/v1/namespaces/hostile/${plural}`,
    JSON.stringify({ apiVersion: 'hostile.example/v1', metadata: { generateName: 'h-' }, ...body }),
  );
const base64 = (text: string): string => Buffer.from(text).toString('base64url');
const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A message of protobuf around another. */
const message = (field: number, content: Uint8Array): Buffer => {
  const length: number[] = [];
  for (let left = content.length; ; left >>>= 7) {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    if (left <= 0x7f) break;
  }
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...length]), content]);
};
const enveloped = (apiVersion: string, kind: string, content: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0x6b, 0x38, 0x73, 0]),
    message(1, Buffer.concat([message(1, Buffer.from(apiVersion)), message(2, Buffer.from(kind))])),
    message(2, content),
  ]);

/** More of what has many parts, and of texts that are long where they are short elsewhere. */
const all: readonly HostileRow[] = [
  made('a pod of a million empty containers', () =>
    post(namespaced('pods'), `{"metadata":{"generateName":"h-"},"spec":{"containers":[${'{},'.repeat(1_000_000)}{}]}}`),
  ),
  made('protobuf: a pod of a million empty containers', () =>
    post(
      namespaced('pods'),
      enveloped('v1', 'Pod', message(2, Buffer.alloc(2_000_000, Buffer.from([0x12, 0])))),
      protobuf,
    ),
  ),
  made('protobuf: 240,000 finalizers of no letters', () =>
    post(configMaps, enveloped('v1', 'ConfigMap', message(1, Buffer.alloc(480_000, Buffer.from([0x72, 0])))), protobuf),
  ),
  made('YAML: 500,000 empty lists', () => post(configMaps, `a: [${'[],'.repeat(500_000)}]`, yaml)),
  made('YAML: keys within keys', () => post(configMaps, '? '.repeat(20_000), yaml)),
  made('YAML: a number of a million digits', () =>
    post(configMaps, `data: {a: ${'1'.repeat(1_000_000)}, b: 0x${'f'.repeat(1_000_000)}}`, yaml),
  ),
  made('YAML: a number of a million underscores', () =>
    post(configMaps, `data: {a: 1${'_'.repeat(1_000_000)}1, b: 0b${'1'.repeat(500_000)}}`, yaml),
  ),
  made('YAML: a text of 500,000 lines', () => post(configMaps, `data:\n  a: |\n${'   b\n'.repeat(500_000)}`, yaml)),
  made('YAML: a plain text of 500,000 lines', () =>
    post(configMaps, `data:\n  a: b\n${'   b\n'.repeat(500_000)}`, yaml),
  ),
  made('YAML: a folded text of blank lines', () =>
    post(configMaps, `data:\n  a: >\n   b${'\n'.repeat(2_000_000)}`, yaml),
  ),
  made('YAML: 500,000 documents', () => post(configMaps, '---\n'.repeat(500_000), yaml)),
  made('YAML: 100,000 directives of tags', () =>
    post(configMaps, `${many(100_000, (i) => `%TAG !a${i}! tag:b,2000:\n`).join('')}---\na: b\n`, yaml),
  ),
  made('YAML: a key of a megabyte', () => post(configMaps, `${'a'.repeat(1_000_000)}: b\n`, yaml)),
  made('JSON: a number of three million digits', () =>
    post(configMaps, `{"metadata":{"name":"h","generation":${'9'.repeat(3_000_000)}}}`),
  ),
  made('JSON: a number with an exponent of a megabyte', () =>
    post(configMaps, `{"metadata":{"name":"h","generation":1e${'9'.repeat(1_000_000)}}}`),
  ),
  made('JSON: keys that are numbers', () =>
    post(
      configMaps,
      configMap({ data: Object.fromEntries(many(100_000, (i) => [String(4_000_000_000 - i * 7), 'v'])) }),
    ),
  ),
  made('an object of 60 keys of digits, as YAML', () => [
    post(definitions, definition('digit', { type: 'object', properties: { spec: any } })),
  ]),
  made('an object for them, of keys of 40,000 digits, as YAML', () => ({
    ...custom('digits', { kind: 'Digit', spec: Object.fromEntries(many(40, (i) => [`${i}${'9'.repeat(40_000)}`, 1])) }),
    headers: { accept: 'application/yaml' },
  })),
  made('an object for them, of 1,200 levels, as YAML', () => ({
    ...custom('digits', { kind: 'Digit' }),
    body:
      '{"apiVersion":"hostile.example/v1","kind":"Digit","metadata":{"generateName":"h-"},"spec":' +
      `${'{"a":'.repeat(1_200)}1${'}'.repeat(1_200)}}`,
    headers: { accept: 'application/yaml', 'content-type': 'application/json' },
  })),
  made('JSON patch: 10,000 tests of a large value', () =>
    patch(
      jsonPatch,
      JSON.stringify([
        { op: 'add', path: '/data', value: Object.fromEntries(many(20_000, (i) => [`k${i}`, 'v'])) },
        ...many(9_999, (i) => ({ op: 'test', path: `/data/k${i}`, value: 'v' })),
      ]),
    ),
  ),
  made('JSON patch: a test of 2,000 levels', () =>
    patch(jsonPatch, `[{"op":"test","path":"/data","value":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}]`),
  ),
  made('JSON patch: 9,000 moves at the beginning of a list', () =>
    patch(
      jsonPatch,
      JSON.stringify([
        { op: 'add', path: '/metadata/finalizers', value: many(9_000, (i) => `a.b/c${i}`) },
        ...many(9_000, () => ({ op: 'move', from: '/metadata/finalizers/8999', path: '/metadata/finalizers/0' })),
      ]),
    ),
  ),
  made('JSON patch: names of a megabyte with escapes', () =>
    patch(jsonPatch, JSON.stringify([{ op: 'add', path: `/data/${'~1~0'.repeat(250_000)}`, value: 'a' }])),
  ),
  made('strategic patch: an order of 100,000', () =>
    patch(
      strategic,
      JSON.stringify({
        spec: {
          '$setElementOrder/containers': many(100_000, (i) => ({ name: `c${i % 50_000}` })),
          containers: many(10_000, (i) => ({ name: `c${9_999 - i}`, image: 'i' })),
        },
      }),
      `${namespaced('pods')}/kept`,
    ),
  ),
  made('strategic patch: 100,000 finalizers to be deleted', () =>
    patch(
      strategic,
      JSON.stringify({
        metadata: {
          '$deleteFromPrimitiveList/finalizers': many(100_000, (i) => `a.b/${i}`),
          finalizers: many(50_000, (i) => `a.b/${i}`),
          '$setElementOrder/finalizers': many(50_000, (i) => `a.b/${50_000 - i}`),
        },
      }),
    ),
  ),
  made('strategic patch: 50,000 replacements of one item', () =>
    patch(
      strategic,
      JSON.stringify({
        spec: {
          containers: many(50_000, (i) => ({
            name: 'c',
            image: `i${i}`,
            $patch: ['replace', 'delete', 'merge'][i % 3],
          })),
        },
      }),
      `${namespaced('pods')}/kept`,
    ),
  ),
  made('apply: 50,000 containers, each twice', () =>
    applied(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'applied' },
        spec: { containers: many(50_000, (i) => ({ name: `c${i >> 1}`, image: 'i' })) },
      }),
      `${namespaced('pods')}/applied`,
    ),
  ),
  made('apply: 100,000 items of a set', () =>
    applied(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'applied', finalizers: many(100_000, (i) => `a.b/${i >> 1}`) },
      }),
    ),
  ),
  made('apply: 60,000 managed fields of keys', () =>
    applied(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'applied',
          managedFields: [
            {
              manager: 'x',
              operation: 'Apply',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': Object.fromEntries(many(60_000, (i) => [`k:{"name":"c${i}"}`, {}])) },
            },
          ],
        },
      }),
    ),
  ),
  made('managed fields: 60,000 of keys that are none, stored', () =>
    post(
      configMaps,
      configMap({
        metadata: {
          name: 'managed',
          managedFields: [
            {
              manager: 'x',
              operation: 'Update',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': Object.fromEntries(many(60_000, (i) => [`k:{"a":[{"b":${i}}]}`, {}])) },
            },
          ],
        },
      }),
    ),
  ),
  made('a definition of 2,000 columns', () =>
    post(
      definitions,
      definition('column', any).replace(
        '"served":true',
        `"served":true,"additionalPrinterColumns":${columnsAt(many(2_000, (i) => `.spec.a[${i}]..b`))}`,
      ),
    ),
  ),
  made('30 objects for it', () =>
    many(30, () => custom('columns', { kind: 'Column', spec: { a: many(2_000, (i) => ({ b: i })) } })),
  ),
  request(
    '5 Tables of them',
    many(5, () => ({
      path: '/apis/hostile.example/v1/namespaces/hostile/columns',
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })),
  ),
  request(
    'a rule that joins, splits and replaces',
    post(
      definitions,
      definition('join', {
        type: 'object',
        properties: {
          spec: {
            type: 'string',
            maxLength: 10_000,
            'x-kubernetes-validations': [
              { rule: "self.split('').map(a, self.replace('', 'b')).size() >= 0" },
              { rule: "self.split('').join(self).size() >= 0" },
              { rule: "self.lowerAscii().upperAscii().indexOf(self + 'a') == -1" },
            ],
          },
        },
      }),
    ),
  ),
  request(
    'a rule that joins within its estimate',
    post(
      definitions,
      definition('joined', {
        type: 'object',
        properties: {
          spec: {
            type: 'string',
            maxLength: 300,
            'x-kubernetes-validations': [
              { rule: "self.split('').join(self).size() >= 0" },
              { rule: "self.replace('', self).replace('', self).size() >= 0" },
              { rule: "self.findAll('a*').size() >= 0" },
              { rule: "self.reverse().split('a').size() >= 0" },
            ],
          },
        },
      }),
    ),
  ),
  request('an object for it, of 300 letters', custom('joineds', { kind: 'Joined', spec: 'a'.repeat(300) })),
  request('quantities of 999 digits', [
    post(
      namespaced('resourcequotas'),
      JSON.stringify({
        metadata: { generateName: 'h-' },
        spec: { hard: { 'requests.cpu': '9'.repeat(999), 'requests.memory': `${'9'.repeat(900)}Ei` } },
      }),
    ),
    post(
      namespaced('limitranges'),
      JSON.stringify({
        metadata: { generateName: 'h-' },
        spec: {
          limits: [
            {
              type: 'Container',
              maxLimitRequestRatio: { cpu: '9'.repeat(999) },
              max: { cpu: '9'.repeat(999) },
              defaultRequest: { cpu: '1n' },
            },
          ],
        },
      }),
    ),
  ]),
  made('50 pods for them', () =>
    many(50, () =>
      post(namespaced('pods'), pod({ resources: { limits: { cpu: '9'.repeat(998), memory: `0.${'0'.repeat(8)}1` } } })),
    ),
  ),
  request('the end of them', [
    { method: 'DELETE', path: namespaced('resourcequotas'), body: '{}' },
    { method: 'DELETE', path: namespaced('limitranges'), body: '{}' },
  ]),
  made('a precondition of a megabyte', () => ({
    method: 'DELETE',
    path: `${configMaps}/kept`,
    body: JSON.stringify({ preconditions: { resourceVersion: '9'.repeat(1_000_000), uid: 'a'.repeat(1_000_000) } }),
    headers: { 'content-type': 'application/json' },
  })),
  made('an update of a version of a megabyte', () => ({
    method: 'PUT',
    path: `${configMaps}/kept`,
    body: configMap({ metadata: { name: 'kept', resourceVersion: '9'.repeat(1_000_000) } }),
    headers: { 'content-type': 'application/json' },
  })),
  request(
    'versions of 10^300',
    [
      `${configMaps}?resourceVersion=1${'0'.repeat(300)}`,
      `${configMaps}?watch=1&resourceVersion=1${'0'.repeat(300)}`,
      `${configMaps}/kept?resourceVersion=-1${'0'.repeat(300)}`,
    ].map((path) => ({ path })),
  ),
  request(
    'timeouts that overflow',
    ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '1e300', '0.1'].map((value) => ({
      path: `${configMaps}?watch=true&timeoutSeconds=${value}`,
    })),
  ),
  made('a continue token that is deep', () => ({
    path:
      `${configMaps}?limit=1&continue=` +
      Buffer.from(`${'{"v":'.repeat(50_000)}1${'}'.repeat(50_000)}`).toString('base64url'),
  })),
  made(
    'a token with claims of 300 KB',
    () => [
      {
        path: '/version',
        headers: {
          authorization:
            `Bearer ${base64(JSON.stringify({ alg: 'RS256', kid: 'k'.repeat(100_000) }))}.` +
            `${base64(`{"iss":"https://kubernetes.default.svc.cluster.local","aud":${'['.repeat(100_000)}`)}.` +
            'A'.repeat(300_000),
        },
      },
    ],
    'nobody',
  ),
  bytes(
    'a token of 900 KB',
    `GET /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${'a'.repeat(900_000)}\r\n\r\n`,
    'nobody',
  ),
  bytes(
    'impersonation by 20,000 groups',
    `GET /version HTTP/1.1\r\nHost: a\r\n{auth}Impersonate-User: a\r\n${'Impersonate-Group: g\r\n'.repeat(20_000)}\r\n`,
  ),
  made('4 roles of 20,000 rules', () =>
    many(4, (i) =>
      post(
        namespaced('roles', 'rbac.authorization.k8s.io/v1'),
        JSON.stringify({
          metadata: { name: `large-${i}` },
          rules: many(18_000, (j) => ({ apiGroups: [''], resources: [`r${j}`], verbs: ['get'] })),
        }),
      ),
    ),
  ),
  made('their bindings', () =>
    many(4, (i) =>
      post(
        namespaced('rolebindings', 'rbac.authorization.k8s.io/v1'),
        JSON.stringify({
          metadata: { name: `large-${i}` },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: `large-${i}` },
          subjects: [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }],
        }),
      ),
    ),
  ),
  made('50 reviews of those rules', () =>
    many(50, () =>
      post(
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectRulesReview","spec":{"namespace":"hostile"}}',
      ),
    ),
  ),
  made('200 questions about them', () =>
    many(200, () =>
      post(
        review,
        '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":' +
          '{"resourceAttributes":{"namespace":"hostile","verb":"get","resource":"nothing"}}}',
      ),
    ),
  ),
  made('200 requests by those rules', () => many(200, () => ({ path: '/api/v1/namespaces/hostile/nothing' }))),
  request(
    'the end of those rules',
    many(4, (i) => ({
      method: 'DELETE',
      path: `${namespaced('rolebindings', 'rbac.authorization.k8s.io/v1')}/large-${i}`,
    })),
  ),
  made('a pod that warns 40,000 times', () =>
    post(namespaced('pods'), pod({ env: many(40_000, (i) => ({ name: `V${i >> 1}`, value: 'a' })) })),
  ),
];

export const nestingRows: readonly HostileRow[] = all.map(uncompared);
