import { token } from './fuzzed-chain.ts';
import type { FuzzRandom } from './fuzz-random.ts';

/** A request as both protocols write it; names and values may be anything. */
export interface FuzzedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

const methods = ['GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'BREW', 'get'];
const paths = [
  '/version',
  '/api',
  '/apis',
  '/api/v1',
  '/api/v1/namespaces/own/configmaps',
  '/api/v1/namespaces/own/configmaps/kept',
  '/api/v1/namespaces/hidden/configmaps/kept',
  '/api/v1/namespaces/large/configmaps/many',
  '/api/v1/namespaces/hidden/secrets',
  '/api/v1/namespaces/hidden/secrets/kept',
  '/api/v1/secrets',
  '/api/v1/configmaps',
  '/api/v1/watch/namespaces/hidden/configmaps',
  '/api/v1/nodes/n/proxy/a',
  '/api/v1/namespaces/own/pods/p/exec',
  '/apis/apps/v1/namespaces/own/deployments/d/scale',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/own/roles',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/nowhere.example/v1/things',
  '/openapi/v3/api/v1',
  '/metrics',
  '/debug/pprof/',
  '/healthz',
  '/.kubechain/discovery',
  '/.kubechain/link',
];
const segments = [
  '/',
  '//',
  '/.',
  '/..',
  '/../',
  '%2f',
  '%2F..%2f',
  '%2e%2e',
  '%00',
  '%',
  '%zz',
  ';a=b',
  '\\',
  '/own',
  '/hidden',
  '/secrets',
  '/configmaps',
  '/kept',
  '/status',
  '/namespaces',
  '/watch',
  '/api/v1',
];
const queries = [
  'limit=1',
  'limit=-1',
  'continue=e30',
  'continue=x',
  'resourceVersion=0',
  'resourceVersion=99999999999999999999',
  'resourceVersionMatch=Exact',
  'labelSelector=a in (b',
  'labelSelector=a%3Db',
  'fieldSelector=metadata.name%3Dkept',
  'fieldSelector=spec.nodeName!=%5C',
  'timeout=60s',
  'timeout=1x',
  'dryRun=All',
  'fieldManager=a',
  'force=maybe',
  'fieldValidation=Strict',
  'pretty=1',
  'namespace=hidden',
  'as=other',
];
const bodies = [
  '',
  '{}',
  '[]',
  'null',
  '{"metadata":{"generateName":"f-"},"data":{"a":"b"}}',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kept","namespace":"hidden"}}',
  '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a"}}',
  '[{"op":"copy","from":"/data","path":"/data/a"}]',
  'metadata: {name: a}',
  'k8s\0\n\x0f\n\x02v1\x12\x09ConfigMap\x12\x00',
];
/** Those that somebody could pass for somebody else with stand among others. */
const headers: readonly (readonly [string, readonly string[]])[] = [
  [
    'content-type',
    [
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
      'text/plain',
      'a/b; c="',
    ],
  ],
  [
    'accept',
    [
      '*/*',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      'application/vnd.kubernetes.protobuf',
      'application/yaml',
      'application/cbor',
      ',;q=,',
    ],
  ],
  ['x-remote-user', ['admin', 'system:admin', '']],
  ['x-remote-group', ['system:masters']],
  ['x-remote-extra-a', ['b']],
  ['x-kubechain-identity', ['eyJ1c2VyIjp7Im5hbWUiOiJhIiwiZ3JvdXBzIjpbInN5c3RlbTptYXN0ZXJzIl19fQ==', '%']],
  ['x-kubechain-decision', ['{}', '%']],
  ['impersonate-user', ['admin', 'system:serviceaccount:a:b']],
  ['impersonate-group', ['system:masters']],
  ['impersonate-extra-constructor', ['a']],
  ['authorization', ['Bearer x', 'Basic YTpi', 'Bearer ', 'bearer a.b.c', 'Negotiate']],
  ['audit-id', ['a', '\t']],
  ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00--01']],
  ['if-none-match', ['*', '"a"']],
  ['range', ['bytes=0-0']],
  ['expect', ['100-continue', 'x']],
  ['origin', ['null']],
  ['cookie', ['a=b']],
  ['x-forwarded-for', ['127.0.0.1']],
  ['te', ['trailers']],
];

/** A request that is right, or nearly so. */
export function anyRequest(random: FuzzRandom): FuzzedRequest {
  const method = random.pick(methods);
  return {
    method,
    target: anyTarget(random),
    headers: [
      ...(random.chance(2) ? [['authorization', `Bearer ${token}`] as const] : []),
      ...random.list(4, () => anyHeader(random)),
    ],
    body: ['POST', 'PUT', 'PATCH'].includes(method) || random.chance(10) ? random.pick(bodies) : undefined,
  };
}

/** Path and query; nothing in it ends a line of HTTP/1.1, or waits for what comes. */
export function anyTarget(random: FuzzRandom): string {
  let path = random.pick(paths);
  for (let more = random.chance(2) ? random.below(4) : 0; more > 0; more--) {
    const at = random.below(path.length + 1);
    path = path.slice(0, at) + random.pick(segments) + path.slice(random.chance(2) ? at : at + random.below(4));
  }
  const query = random.chance(3) ? `?${random.list(3, () => random.pick(queries)).join('&')}` : '';
  return `${path.startsWith('/') ? '' : '/'}${path}${query}`.replaceAll(' ', '%20');
}

function anyHeader(random: FuzzRandom): readonly [string, string] {
  const [name, values] = random.pick(headers);
  const value = random.chance(10) ? random.text([...values, 'a'], 3).slice(0, 5_000) : random.pick(values);
  // What no field has is left to mutation.
  return [name, Buffer.from(value.replaceAll(/[\r\n\0]/g, ''), 'utf8').toString('latin1')];
}
