import { gzipSync } from 'node:zlib';
import {
  apply,
  applied,
  configMap,
  configMaps,
  jsonPatch,
  mergePatch,
  namespaced,
  nested,
  patch,
  post,
  review,
  strategic,
  yaml,
} from './api-requests.ts';
import { made, request, type HostileRow } from './row.ts';

const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };
const kept = `${configMaps}/kept`;
const deployments = namespaced('deployments', 'apps/v1');
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const query = (text: string): string => encodeURIComponent(text);

/** `k8s\0` and runtime.Unknown with this much of something inside. */
function unknown(raw: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = raw.length; ; rest >>>= 7) {
    length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) break;
  }
  return Buffer.concat([
    Buffer.from('6b3873000a0f0a027631', 'hex'),
    Buffer.from('1209436f6e6669674d6170', 'hex'),
    Buffer.from([0x12, ...length]),
    raw,
  ]);
}

/** Documents in every encoding, patches, and the parameters beside them. */
export const documentRows: readonly HostileRow[] = [
  request(
    'a lone surrogate',
    post(configMaps, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"lone"},"data":{"a":"\\ud800"}}'),
  ),
  request('a zero in a text', post(configMaps, configMap({ metadata: { name: 'zero' }, data: { a: '\u0000' } }))),
  request(
    'keys that differ in case',
    post(
      configMaps,
      '{"apiVersion":"v1","KIND":"Secret","kind":"ConfigMap","Metadata":{"name":"a"},"metadata":{"name":"case"}}',
    ),
  ),
  request('a number for a text', post(configMaps, configMap({ metadata: { name: 'n' }, data: { a: 1 } }))),
  request(
    'numbers without sense',
    ['1e400', '-0', '1E+2', '01', '.5', '+1', 'NaN', '0x1'].map((number) =>
      post(
        namespaced('pods'),
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"h"},"spec":{"priority":${number},"containers":[]}}`,
      ),
    ),
  ),
  request('documents behind the document', [
    post(configMaps, `${configMap({})}{}`),
    post(configMaps, `${configMap({})} x`),
    post(configMaps, 'a: b\n---\nc: d\n', yaml),
  ]),
  request('nothing', [
    post(configMaps, ''),
    post(configMaps, ' '),
    post(configMaps, '', yaml),
    post(configMaps, '', protobuf),
  ]),
  made('a text of 3 MB', () =>
    post(configMaps, configMap({ metadata: { name: 'large' }, data: { a: 'x'.repeat(3_000_000) } })),
  ),
  made('a text of escapes', () =>
    post(
      configMaps,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"escapes"},' +
        `"data":{"a":"${'\\u0041'.repeat(400_000)}"}}`,
    ),
  ),
  made('a body of blanks', () => post(configMaps, ' '.repeat(3_000_000))),
  made('binary data that is none', () => post(configMaps, configMap({ binaryData: { a: '='.repeat(1_000_000) } }))),
  made('a body that is packed', () => post(configMaps, gzipSync(configMap({})), { 'content-encoding': 'gzip' })),
  request('a body of another encoding', post(configMaps, configMap({}), { 'content-encoding': 'br, identity' })),
  request(
    'a body in another charset',
    post(configMaps, configMap({}), { 'content-type': 'application/json; charset=utf-7' }),
  ),
  request('a body of another kind', [
    post(configMaps, configMap({}), { 'content-type': 'text/html' }),
    post(configMaps, configMap({}), { 'content-type': 'application/json, text/html' }),
    post(configMaps, configMap({}), { 'content-type': '' }),
    post(configMaps, configMap({}), { 'content-type': 'application/cbor' }),
  ]),
  made('YAML: a document of 3 MB of dashes', () => post(configMaps, '- '.repeat(1_000_000), yaml)),
  made('YAML: tags of every kind', () =>
    post(configMaps, many(20_000, (i) => `k${i}: !!binary aaaa`).join('\n'), yaml),
  ),
  request(
    'YAML: tags that make objects',
    post(configMaps, 'a: !!js/function "x"\nb: !!python/object:os.system {}\n', yaml),
  ),
  request('YAML: keys that are no text', post(configMaps, '? [a, b]\n: c\n1: d\ntrue: e\nnull: f\n', yaml)),
  request('YAML: an alias of itself', post(configMaps, 'a: &a [*a]\n', yaml)),
  request(
    'YAML: a key that comes twice',
    post(configMaps, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata: {a: b}\ndata: {a: c}\n', yaml),
  ),
  made('YAML: a directive of 500 KB', () => post(configMaps, `%YAML ${'1'.repeat(500_000)}\n---\na: b\n`, yaml)),
  made('YAML: comments alone', () => post(configMaps, '# a\n'.repeat(500_000), yaml)),
  made('YAML: a plain text of 1 MB with colons', () => post(configMaps, `a: ${'b:c '.repeat(250_000)}`, yaml)),
  made('protobuf: 500,000 fields that nobody knows', () =>
    post(configMaps, unknown(Buffer.from('f80701'.repeat(500_000), 'hex')), protobuf),
  ),
  made('protobuf: texts of no length', () =>
    post(configMaps, unknown(Buffer.from('0a00'.repeat(500_000), 'hex')), protobuf),
  ),
  made('protobuf: metadata within metadata', () =>
    post(configMaps, unknown(Buffer.from('0a7f'.repeat(100_000), 'hex')), protobuf),
  ),
  made('protobuf: 300,000 entries of a map', () =>
    post(configMaps, unknown(Buffer.from('12060a016112 0162'.replaceAll(' ', '').repeat(300_000), 'hex')), protobuf),
  ),
  request(
    'protobuf: numbers of eleven bytes',
    post(configMaps, unknown(Buffer.from('ffffffffffffffffffffff01', 'hex')), protobuf),
  ),
  request(
    'protobuf: a kind that is another',
    post(namespaced('secrets'), unknown(Buffer.from('0a070a0568656c6c6f', 'hex')), protobuf),
  ),
  made('deep within a patch', () =>
    patch(
      jsonPatch,
      JSON.stringify([
        {
          op: 'add',
          path: '/data',
          value: JSON.parse(nested(2_000, '{"a":', '}').replace('{"a":}', '{"a":1}')) as unknown,
        },
      ]),
    ),
  ),
  made('a merge patch of 200,000 keys', () =>
    patch(mergePatch, JSON.stringify({ data: Object.fromEntries(many(200_000, (i) => [`k${i}`, null])) })),
  ),
  made('a strategic patch of 50,000 deletions', () =>
    patch(
      strategic,
      JSON.stringify({
        spec: { template: { spec: { containers: many(50_000, (i) => ({ name: `c${i}`, $patch: 'delete' })) } } },
      }),
      `${deployments}/kept`,
    ),
  ),
  made('a strategic patch of 20,000 containers', () =>
    patch(
      strategic,
      JSON.stringify({
        spec: { template: { spec: { containers: many(20_000, (i) => ({ name: `c${i}`, image: 'i' })) } } },
      }),
      `${deployments}/kept?dryRun=All`,
    ),
  ),
  made('a strategic patch in another order', () =>
    patch(
      strategic,
      JSON.stringify({
        spec: { template: { spec: { '$setElementOrder/containers': many(20_000, (i) => ({ name: `c${i}` })) } } },
      }),
      `${deployments}/kept`,
    ),
  ),
  request('patches that are none', [
    patch(jsonPatch, '{}'),
    patch(jsonPatch, 'null'),
    patch(jsonPatch, '[{"op":"brew"}]'),
    patch(jsonPatch, '[null]'),
    patch(mergePatch, '[]'),
    patch(mergePatch, 'null'),
    patch(strategic, 'null'),
    patch(apply, 'null', `${kept}?fieldManager=a`),
    patch('text/plain', '{}'),
  ]),
  request('patches of what must not change', [
    patch(mergePatch, '{"metadata":{"name":"x"}}'),
    patch(mergePatch, '{"metadata":{"uid":"x"}}'),
    patch(mergePatch, '{"kind":"Secret"}'),
    patch(mergePatch, '{"apiVersion":"v2"}'),
    patch(mergePatch, '{"metadata":null}'),
    patch(mergePatch, '{"metadata":{"resourceVersion":"1"}}'),
  ]),
  request('pointers of odd steps', [
    patch(jsonPatch, '[{"op":"add","path":"/data/-","value":1}]'),
    patch(jsonPatch, '[{"op":"add","path":"data","value":1}]'),
    patch(jsonPatch, '[{"op":"remove","path":""}]'),
    patch(jsonPatch, '[{"op":"replace","path":"/metadata/~2","value":1}]'),
    patch(jsonPatch, '[{"op":"add","path":"/metadata/finalizers/99999999999999999999","value":"a"}]'),
  ]),
  made('apply: 3,000 managers', () =>
    many(3_000, (i) =>
      applied(
        JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } }),
        `${configMaps}/applied?a=${i}`,
      ),
    ).slice(0, 50),
  ),
  made('apply: a manager of 100 KB', () => patch(apply, '{}', `${kept}?fieldManager=${'m'.repeat(100_000)}`)),
  request('apply: without a manager', patch(apply, configMap({ metadata: { name: 'kept' } }))),
  request(
    'apply: a list that is a map',
    patch(
      apply,
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'kept' }, spec: { containers: { a: 1 } } }),
      `${namespaced('pods')}/kept?fieldManager=m`,
    ),
  ),
  made('apply: 20,000 managers of others', () =>
    patch(
      mergePatch,
      JSON.stringify({
        metadata: {
          managedFields: many(5_000, (i) => ({
            manager: `m${i}`,
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:a': {} } },
          })),
        },
      }),
    ),
  ),
  made('apply: fields of a megabyte', () =>
    patch(
      mergePatch,
      JSON.stringify({
        metadata: {
          managedFields: [
            {
              manager: 'm',
              operation: 'Apply',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': Object.fromEntries(many(60_000, (i) => [`f:k${i}`, {}])) },
            },
          ],
        },
      }),
    ),
  ),
  request(
    'apply: fields without sense',
    patch(
      mergePatch,
      JSON.stringify({
        metadata: {
          managedFields: [
            {
              manager: 'm',
              operation: 'Apply',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'k:{"a":}': {}, 'i:-1': {}, 'v:': {}, 'x:': {}, '.': {} },
            },
          ],
        },
      }),
    ),
  ),
  made('a review of a selector of 50,000 requirements', () =>
    post(
      review,
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: {
            verb: 'list',
            resource: 'pods',
            namespace: 'hostile',
            labelSelector: { requirements: many(50_000, (i) => ({ key: `k${i}`, operator: 'In', values: ['a'] })) },
          },
        },
      }),
    ),
  ),
  made('a review of a raw selector of 500 KB', () =>
    post(
      review,
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: {
            verb: 'list',
            resource: 'pods',
            fieldSelector: { rawSelector: 'a=b,'.repeat(100_000) },
          },
        },
      }),
    ),
  ),
  made('rules of a namespace of a megabyte', () =>
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace: 'a'.repeat(1_000_000) },
      }),
    ),
  ),
  made('200 reviews of rules', () =>
    many(200, () =>
      post(
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectRulesReview","spec":{"namespace":"hostile"}}',
      ),
    ),
  ),
  made('a review with 50,000 groups', () =>
    post(
      namespaced('localsubjectaccessreviews', 'authorization.k8s.io/v1'),
      JSON.stringify({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'LocalSubjectAccessReview',
        metadata: { namespace: 'hostile' },
        spec: {
          user: 'a',
          groups: many(50_000, (i) => `g${i}`),
          resourceAttributes: { namespace: 'hostile', verb: 'get', resource: 'pods' },
        },
      }),
    ),
  ),
  request(
    'a review of prototypes',
    post(
      review,
      '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview",' +
        '"spec":{"resourceAttributes":{"verb":"__proto__","group":"constructor","resource":"hasOwnProperty",' +
        '"namespace":"toString"}}}',
    ),
  ),
  request(
    'times without sense',
    ['-1s', '0', '0s', '1', '1h1', '1e9s', '9223372036854775807ns', '9223372036854775808ns', '∞', ' 1s'].map(
      (timeout) => ({ path: `/version?timeout=${query(timeout)}` }),
    ),
  ),
  request(
    'seconds without sense',
    ['-1', '0x10', '1.5', '', '9223372036854775808', 'a']
      .map((seconds) => ({ path: `${configMaps}?watch=true&timeoutSeconds=${query(seconds)}&resourceVersion=9` }))
      .slice(0, 6),
  ),
  request(
    'switches without sense',
    [
      'watch=maybe',
      'watch=1&watch=0',
      'dryRun=Some',
      'dryRun=All&dryRun=All',
      'fieldValidation=Never',
      'pretty=maybe',
      'allowWatchBookmarks=x',
      'sendInitialEvents=true',
      'sendInitialEvents=true&watch=true',
      'resourceVersionMatch=Exactly',
      'resourceVersionMatch=Exact&resourceVersion=0',
      'labelSelector=%00',
      'fieldSelector=a',
      'continue=%%',
    ].map((text) => ({ path: `${configMaps}?${text}&timeoutSeconds=1&limit=1` })),
  ),
  made('continue tokens without sense', () =>
    [
      'e30',
      'bnVsbA',
      'W10',
      Buffer.from('{"v":"meta.k8s.io/v1","rv":99999999999999,"start":"a"}').toString('base64url'),
      Buffer.from('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}').toString('base64url'),
      Buffer.from('{"v":"meta.k8s.io/v2","rv":1,"start":"a"}').toString('base64url'),
      Buffer.from(`{"v":"meta.k8s.io/v1","rv":1,"start":${'['.repeat(20_000)}`).toString('base64url'),
      '='.repeat(1_000),
    ].map((token) => ({ path: `${configMaps}?limit=1&continue=${query(token)}` })),
  ),
  made('100,000 parameters', () => ({ path: `${configMaps}?${many(100_000, (i) => `a${i}`).join('&')}` })),
  made('a selector of prototypes', () => ({
    path: `${configMaps}?labelSelector=${query('__proto__=a,constructor in (b),!toString')}`,
  })),
  made('a selector of exclamation marks', () => ({
    path: `${configMaps}?labelSelector=${query('!'.repeat(100_000))}`,
  })),
  made('a selector of commas', () => ({ path: `${configMaps}?labelSelector=${query(','.repeat(100_000))}` })),
  made('a field selector of 20,000 terms', () => ({
    path: `${configMaps}?fieldSelector=${query(many(20_000, () => 'metadata.name!=a').join())}`,
  })),
  made('a watch with a selector of 20,000 values', () => ({
    path:
      `${configMaps}?watch=true&timeoutSeconds=1&` +
      `labelSelector=${query(`k in (${many(20_000, (i) => `v${i}`).join()})`)}`,
  })),
  made('deletion by a selector of 20,000 values', () => ({
    method: 'DELETE',
    path: `${configMaps}?labelSelector=${query(`k in (${many(20_000, (i) => `v${i}`).join()})`)}`,
  })),
  made('deletion with 100,000 preconditions', () => ({
    method: 'DELETE',
    path: `${configMaps}/nothing`,
    body: `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{${'"uid":"a",'.repeat(100_000)}"uid":"a"}}`,
  })),
  request(
    'tables of other versions',
    ['v1', 'v1beta1', 'v2', '__proto__'].map((version) => ({
      path: configMaps,
      headers: { accept: `application/json;as=Table;v=${version};g=meta.k8s.io` },
    })),
  ),
  request('metadata alone, of nothing known', {
    path: configMaps,
    headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v9;g=meta.k8s.io' },
  }),
  request('documents of OpenAPI without sense', [
    { path: '/openapi/v3/apis/..%2f..' },
    { path: '/openapi/v3/apis/apps/v1?hash=x' },
    { path: '/openapi/v3/apis/nothing/v1' },
    { path: '/openapi/v2', headers: { accept: 'application/com.github.proto-openapi.spec.v2@v9.0+protobuf' } },
  ]),
];
