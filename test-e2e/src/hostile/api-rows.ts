import {
  columnsAt,
  continueToken,
  applied,
  configMap,
  configMaps,
  definition,
  definitions,
  jsonPatch,
  mergePatch,
  nested,
  patch,
  pod,
  post,
  review,
  schemaOf,
  strategic,
  yaml,
} from './api-requests.ts';
import { made, request, type HostileRow } from './row.ts';

/** What an ordinary user may ask of the API, and should not. */
export const apiRows: readonly HostileRow[] = [
  made('JSON of 100,000 levels', () => post(configMaps, nested(100_000, '[', ']'))),
  made('objects of 2,000 levels', () =>
    post(
      configMaps,
      configMap({ data: JSON.parse(nested(2_000, '{"a":', '}').replace('{"a":}', '{"a":1}')) as unknown }),
    ),
  ),
  made('100,000 keys that are one', () =>
    post(
      configMaps,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"h"},"data":{${'"a":"b",'.repeat(100_000)}"a":"b"}}`,
    ),
  ),
  made('100,000 keys that nobody knows, strictly', () =>
    post(
      `${configMaps}?fieldValidation=Strict`,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"h"},' +
        `${Array.from({ length: 100_000 }, (_, i) => `"x${i}":1`).join()}}`,
    ),
  ),
  request(
    'keys of prototypes',
    post(
      configMaps,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"h","labels":{"__proto__":"a",' +
        '"constructor":"b"}},"__proto__":{"a":1},"constructor":{"prototype":{}}}',
    ),
  ),
  request(
    'broken UTF-8',
    post(configMaps, Buffer.from('7b226b696e64223a22ff fe c0 af ed a0 80 22 7d'.replaceAll(' ', ''), 'hex')),
  ),
  request('a body in UTF-16', post(configMaps, Buffer.from('\ufeff{}', 'utf16le'))),
  request(
    'numbers beyond all numbers',
    post(configMaps, configMap({}).replace('}}', `,"generation":${'9'.repeat(5_000)}}}`)),
  ),
  made('YAML: aliases of aliases', () =>
    post(
      configMaps,
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((letter, i) => `${letter}: &${letter} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[i]}`).join()}]`)
        .join('\n')}\n`,
      yaml,
    ),
  ),
  made('YAML: merges of 1,000 aliases', () =>
    post(
      review,
      `apiVersion: authorization.k8s.io/v1\nkind: SelfSubjectAccessReview\nx: &x ` +
        `{${Array.from({ length: 500 }, (_, i) => `k${i}: v`).join(', ')}}\nspec:\n  <<: ` +
        `[${Array.from({ length: 1_000 }, () => '*x').join(', ')}]\n`,
      yaml,
    ),
  ),
  made('YAML: 20,000 anchors', () =>
    post(configMaps, Array.from({ length: 20_000 }, (_, i) => `k${i}: &a${i} v`).join('\n'), yaml),
  ),
  made('YAML: flow of 50,000 levels', () => post(configMaps, nested(50_000, '[', ']'), yaml)),
  made('YAML: blocks of 1,500 levels', () =>
    post(configMaps, Array.from({ length: 1_500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), yaml),
  ),
  made('YAML: a quoted text that does not end', () => post(configMaps, `a: "${'\\x41'.repeat(100_000)}`, yaml)),
  request(
    'protobuf: only its first bytes',
    post(configMaps, Buffer.from([0x6b, 0x38, 0x73, 0]), { 'content-type': 'application/vnd.kubernetes.protobuf' }),
  ),
  request(
    'protobuf: lengths beyond the end',
    post(configMaps, Buffer.from('6b3873000a0a0a027631120443664d70ffffffffffffffffff01', 'hex'), {
      'content-type': 'application/vnd.kubernetes.protobuf',
    }),
  ),
  made('protobuf: groups within groups', () =>
    post(
      configMaps,
      Buffer.concat([
        Buffer.from('6b3873000a0f0a02763112 09436f6e6669674d617012'.replaceAll(' ', ''), 'hex'),
        Buffer.alloc(100_000, 0x0b),
      ]),
      { 'content-type': 'application/vnd.kubernetes.protobuf' },
    ),
  ),
  request(
    'a content type of 10,000 parameters',
    post(configMaps, '{}', { 'content-type': `application/json;${'a=b;'.repeat(10_000)}` }),
  ),
  request(
    'a packed body that ends early',
    post(configMaps, Buffer.from('1f8b0800', 'hex'), { 'content-encoding': 'gzip' }),
  ),
  made('JSON patch: copies that double', () =>
    patch(
      jsonPatch,
      JSON.stringify([
        { op: 'add', path: '/data', value: { a: 'x'.repeat(1_000) } },
        ...Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/k${i}` })),
      ]),
    ),
  ),
  made('JSON patch: 10,000 operations', () =>
    patch(
      jsonPatch,
      JSON.stringify(
        Array.from({ length: 10_000 }, (_, i) => ({
          op: 'add',
          path: `/metadata/annotations`,
          value: { i: String(i) },
        })),
      ),
    ),
  ),
  made('JSON patch: a pointer of 100,000 steps', () =>
    patch(jsonPatch, JSON.stringify([{ op: 'test', path: '/a'.repeat(100_000), value: 1 }])),
  ),
  request(
    'JSON patch: into prototypes',
    patch(
      jsonPatch,
      '[{"op":"add","path":"/__proto__/a","value":1},{"op":"add","path":"/constructor/prototype/a","value":1}]',
    ),
  ),
  request('JSON patch: of itself', patch(jsonPatch, '[{"op":"move","from":"","path":"/data/a"}]')),
  made('merge patch of 9,000 levels', () =>
    patch(mergePatch, nested(9_000, '{"a":', '}').replace('{"a":}', '{"a":1}')),
  ),
  made('strategic patch of 2,400 levels', () =>
    patch(strategic, nested(2_400, '{"a":', '}').replace('{"a":}', '{"a":1}')),
  ),
  request(
    'strategic patch: directives that contradict',
    patch(
      strategic,
      '{"metadata":{"$patch":"replace","$retainKeys":["x"],"$deleteFromPrimitiveList/finalizers":["a"],' +
        '"$setElementOrder/ownerReferences":[{"uid":1}]}}',
    ),
  ),
  made('apply: 100,000 paths', () =>
    applied(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'applied' },
        data: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 'v'])),
      }),
    ),
  ),
  made('apply: 20,000 ports that are one', () =>
    applied(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'applied' },
        spec: { ports: Array.from({ length: 20_000 }, () => ({ port: 1, protocol: 'TCP' })) },
      }),
      '/api/v1/namespaces/hostile/services/applied',
    ),
  ),
  made("apply: managed fields of one's own", () =>
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
              fieldsV1: JSON.parse(nested(2_000, '{"f:a":', '}').replace('{"f:a":}', '{"f:a":{}}')) as unknown,
            },
          ],
        },
      }),
    ),
  ),
  made('managed fields: 3,000 levels, stored', () =>
    post(
      configMaps,
      configMap({
        metadata: {
          name: 'h',
          managedFields: [
            {
              manager: 'x',
              operation: 'Update',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: JSON.parse(nested(1_000, '{"f:a":', '}').replace('{"f:a":}', '{"f:a":{}}')) as unknown,
            },
          ],
        },
      }),
    ),
  ),
  made('a selector of 20,000 requirements', () => ({
    path:
      `${configMaps}?labelSelector=` +
      `${encodeURIComponent(Array.from({ length: 20_000 }, (_, i) => `k${i}=v`).join())}`,
  })),
  made('a selector of 50,000 values', () => ({
    path:
      `${configMaps}?labelSelector=` +
      `${encodeURIComponent(`k in (${Array.from({ length: 50_000 }, (_, i) => `v${i}`).join()})`)}`,
  })),
  made('a selector of parentheses', () => ({
    path: `${configMaps}?labelSelector=${encodeURIComponent('('.repeat(50_000))}`,
  })),
  made('a field selector of 50,000 escapes', () => ({
    path: `${configMaps}?fieldSelector=${encodeURIComponent(`metadata.name=${'\\,'.repeat(50_000)}`)}`,
  })),
  request("a field selector of nobody's field", {
    path: `${configMaps}?fieldSelector=${encodeURIComponent('__proto__=a,constructor!=b')}`,
  }),
  request('a resourceVersion beyond all', { path: `${configMaps}?resourceVersion=${'9'.repeat(400)}` }),
  request('a resourceVersion of tomorrow', {
    path:
      `${configMaps}?resourceVersion=9007199254740993&resourceVersionMatch=NotOlderThan&timeoutSeconds=1&` +
      'timeout=1s',
  }),
  request('a watch from tomorrow', {
    path: `${configMaps}?watch=true&resourceVersion=9223372036854775807&timeoutSeconds=1`,
  }),
  request(
    'limits without sense',
    ['-1', '0', '9223372036854775808', '1e9', 'NaN', '0x10'].map((limit) => ({ path: `${configMaps}?limit=${limit}` })),
  ),
  made('a continue token of 200 KB', () => ({
    path: `${configMaps}?limit=1&continue=` + continueToken({ rv: 1, start: 'a'.repeat(150_000) }),
  })),
  request('a continue token that climbs', {
    path: `${configMaps}?limit=1&continue=` + continueToken({ rv: -1, start: '../../secrets/\u0000' }),
  }),
  request('a timeout beyond all', { path: `${configMaps}?watch=true&timeoutSeconds=99999999999999999999` }),
  made('a timeout of 5,000 units', () => ({ path: `/version?timeout=${'1h'.repeat(5_000)}x` }), 'nobody'),
  request(
    'a name of odd characters',
    ['%00', '%0d%0a', '..%2f..', '%e2%80%ae', '%ff'].map((name) => ({ path: `${configMaps}/${name}` })),
  ),
  made('a review with 50,000 extras', () =>
    post(
      '/apis/authorization.k8s.io/v1/localsubjectaccessreviews'.replace('/local', '/namespaces/hostile/local'),
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'LocalSubjectAccessReview',
        metadata: { namespace: 'hostile' },
        spec: {
          user: 'a',
          extra: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`e${i}`, ['v']])),
          resourceAttributes: { namespace: 'hostile', verb: 'get', resource: 'pods' },
        },
      }),
    ),
  ),
  made('a review of a name of a megabyte', () =>
    post(
      review,
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { name: 'a'.repeat(1_000_000), verb: 'get', resource: 'pods' } },
      }),
    ),
  ),
  made('100 token reviews of nonsense', () =>
    Array.from({ length: 100 }, (_, i) =>
      post(
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        JSON.stringify({
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'SelfSubjectReview',
          status: { userInfo: { extra: { __proto__: [String(i)] } } },
        }),
      ),
    ),
  ),
  made('a quantity of 500,000 digits', () =>
    post('/api/v1/namespaces/hostile/pods', pod({ resources: { limits: { cpu: '1'.repeat(500_000) } } })),
  ),
  made('quantities with large exponents', () =>
    post(
      '/api/v1/namespaces/hostile/pods',
      pod({
        resources: { limits: { cpu: '1e20000000', memory: '1E-20000000', 'a.b/c': `0.${'0'.repeat(100_000)}1` } },
      }),
    ),
  ),
  made('10,000 environment variables that point at each other', () =>
    post(
      '/api/v1/namespaces/hostile/pods',
      pod({ env: Array.from({ length: 10_000 }, (_, i) => ({ name: `V${i}`, value: `$(V${i + 1})` })) }),
    ),
  ),
  made('a field path of 200,000 brackets', () =>
    post(
      '/api/v1/namespaces/hostile/pods',
      pod({
        env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${"['".repeat(100_000)}` } } }],
      }),
    ),
  ),
  made('10,000 volumes with overlapping paths', () =>
    post(
      '/api/v1/namespaces/hostile/pods',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'h' },
        spec: {
          containers: [{ name: 'c', image: 'i' }],
          volumes: [
            {
              name: 'v',
              projected: {
                sources: Array.from({ length: 10_000 }, (_, i) => ({
                  downwardAPI: { items: [{ path: `a/${i}/..`, fieldRef: { fieldPath: 'metadata.name' } }] },
                })),
              },
            },
          ],
        },
      }),
    ),
  ),
  made('a TLS secret of a megabyte of dashes', () =>
    post(
      '/api/v1/namespaces/hostile/secrets',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/tls',
        metadata: { name: 'h' },
        data: {
          'tls.crt': Buffer.from('-----BEGIN '.repeat(60_000)).toString('base64'),
          'tls.key': Buffer.from('-----BEGIN A-----\n'.repeat(40_000)).toString('base64'),
        },
      }),
    ),
  ),
  made('a label of a megabyte', () =>
    post(configMaps, configMap({ metadata: { name: 'h', labels: { ['a'.repeat(500_000)]: '-'.repeat(500_000) } } })),
  ),
  made('10,000 owners', () =>
    post(
      configMaps,
      configMap({
        metadata: {
          name: 'h',
          ownerReferences: Array.from({ length: 10_000 }, (_, i) => ({
            apiVersion: 'v1',
            kind: 'Pod',
            name: `p${i}`,
            uid: 'u',
            controller: true,
          })),
        },
      }),
    ),
  ),
  made('a schema of 1,000 levels of allOf', () =>
    post(
      definitions,
      definition(
        'allof',
        schemaOf(1_000, (inner) => ({ type: 'object', allOf: [inner, inner === undefined ? {} : {}] })),
      ),
    ),
  ),
  made('a schema of 500 levels of properties', () =>
    post(
      definitions,
      definition(
        'deep',
        schemaOf(500, (inner) => ({ type: 'object', properties: { a: inner } })),
      ),
    ),
  ),
  made('a schema of 5,000 anyOf', () =>
    post(
      definitions,
      definition('anyof', {
        type: 'object',
        properties: {
          spec: { type: 'object', anyOf: Array.from({ length: 5_000 }, (_, i) => ({ required: [`a${i}`] })) },
        },
      }),
    ),
  ),
  made('an enum of 100,000 values', () =>
    post(
      definitions,
      definition('enum', {
        type: 'object',
        properties: { spec: { type: 'string', enum: Array.from({ length: 100_000 }, (_, i) => `v${i}`) } },
      }),
    ),
  ),
  request(
    'a pattern that backtracks',
    post(
      definitions,
      definition('pattern', { type: 'object', properties: { spec: { type: 'string', pattern: '^(a+)+$' } } }),
    ),
  ),
  request('an object for it', {
    method: 'POST',
    path: '/apis/hostile.example/v1/namespaces/hostile/patterns',
    body: JSON.stringify({
      apiVersion: 'hostile.example/v1',
      kind: 'Pattern',
      metadata: { name: 'h' },
      spec: `${'a'.repeat(50_000)}b`,
    }),
  }),
  made('a pattern of 100,000 groups', () =>
    post(
      definitions,
      definition('group', { type: 'object', properties: { spec: { type: 'string', pattern: '('.repeat(100_000) } } }),
    ),
  ),
  request(
    'rules that loop within loops',
    post(
      definitions,
      definition('rule', {
        type: 'object',
        properties: {
          spec: {
            type: 'array',
            items: { type: 'integer' },
            'x-kubernetes-validations': [
              { rule: 'self.all(a, self.all(b, self.all(c, self.all(d, a + b + c + d > 0))))' },
            ],
          },
        },
      }),
    ),
  ),
  made('a rule of 100,000 characters', () =>
    post(
      definitions,
      definition('long', {
        type: 'object',
        properties: {
          spec: {
            type: 'integer',
            'x-kubernetes-validations': [{ rule: `${'('.repeat(20_000)}self > 0${')'.repeat(20_000)}` }],
          },
        },
      }),
    ),
  ),
  request(
    'references in a schema',
    post(
      definitions,
      definition('reference', { type: 'object', properties: { spec: { $ref: '#/definitions/spec' } } }),
    ),
  ),
  made('defaults of a megabyte', () =>
    post(
      definitions,
      definition('default', {
        type: 'object',
        properties: { spec: { type: 'string', default: 'a'.repeat(1_000_000) } },
      }),
    ),
  ),
  made('printer columns by the thousand', () =>
    post(
      definitions,
      definition('column', { type: 'object' }).replace(
        '"served":true',
        '"served":true,"additionalPrinterColumns":' + columnsAt(Array.from({ length: 5_000 }, () => '.a'.repeat(100))),
      ),
    ),
  ),
  made('a LIST as YAML of what is there', () => ({ path: configMaps, headers: { accept: 'application/yaml' } })),
  request('a LIST as a Table of nothing known', {
    path: configMaps,
    headers: { accept: 'application/json;as=Table;v=v99;g=a.b' },
  }),
  request(
    'a proxy to elsewhere',
    ['10.0.0.1:80', 'https:a:b', 'http:[::1]:6443', '..%2f..'].map((name) => ({
      path: `/api/v1/namespaces/hostile/services/${name}/proxy/`,
    })),
  ),
  request('deletion with options of nonsense', {
    method: 'DELETE',
    path: configMaps,
    body:
      '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":-9223372036854775809,' +
      '"propagationPolicy":"__proto__"}',
  }),
  request(
    'everything of nothing',
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
      method,
      path: '/apis/../../%2e%2e/',
      ...(method === 'GET' ? {} : { body: 'null' }),
    })),
  ),
  request('null for an object', [
    post(configMaps, 'null'),
    post(configMaps, '[]'),
    post(configMaps, '""'),
    post(configMaps, '{"kind":null,"apiVersion":[]}'),
    post(configMaps, '{"apiVersion":"v1","kind":"ConfigMap","metadata":null,"data":[]}'),
  ]),
];
