import { collectionOf, pathOf, type Base, type TrialRequest } from './requests.ts';
import type { Values } from './values.ts';

/** Values of query parameters, as clients write them or not: each parameter has some of its own. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  resourceVersion: ['', '0', '1', '-1', 'x', '01', '18446744073709551616', '1.0', ' 1', '0x1'],
  resourceVersionMatch: ['', 'Exact', 'NotOlderThan', 'exact', 'x'],
  limit: ['', '0', '1', '2', '-1', 'x', '1.5', '9223372036854775807', '9223372036854775808', ' 1', '+1', '1e1'],
  continue: [
    '',
    'x',
    '%',
    'e30',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJ4In0',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoieFx1MDAwMCJ9',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJ4In0',
    'eyJ2IjoidjIiLCJydiI6MSwic3RhcnQiOiJ4In0',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi8uLi94In0',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJ4In0=',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6IngifQ',
  ],
  timeoutSeconds: ['', '0', '1', '-1', 'x', '1.5', '1s', '9223372036854775808'],
  labelSelector: [
    '',
    'a',
    'a=b',
    'a==b',
    'a!=b',
    '!a',
    'a in (b,c)',
    'a notin (b)',
    'a in ()',
    'a in (b',
    'a in',
    'a>1',
    'a>x',
    'a<-1',
    'a=b,',
    ',a',
    'a,,b',
    '=b',
    'a=b=c',
    'a b',
    '!a=b',
    'A/b=c',
    'a/b/c=d',
    'a=-',
    'x'.repeat(64),
    `a=${'x'.repeat(64)}`,
    'a in (b),c notin (d,e),!f',
    'a=é',
    'é',
    'a = b',
    '!',
    'in in (in)',
    'notin',
    'a in (,)',
    'a in (b,,c)',
    '(a)',
    'a!b',
    'a=!b',
  ],
  fieldSelector: [
    '',
    'metadata.name=x',
    'metadata.name==x',
    'metadata.name!=x',
    'metadata.namespace=trials',
    'metadata.namespace=x',
    'metadata.name=sample-1,metadata.namespace=trials',
    'metadata.name',
    'metadata.uid=x',
    'spec.nodeName=',
    'status.phase=Running',
    'spec.x=y',
    'type=x',
    'status.successful=0',
    'status.successful=x',
    'involvedObject.name=x',
    'spec.unschedulable=x',
    'spec.signerName=x',
    'status.replicas=1',
    '=x',
    'a',
    'metadata.name=a,b',
    String.raw`metadata.name=a\,b`,
    String.raw`metadata.name=a\x`,
    'metadata.name=a=b',
    'metadata.name in (a)',
    ',',
    'metadata.name=x,',
    'Metadata.Name=x',
    ' metadata.name=x',
    'metadata.name= x',
  ],
  pretty: ['', 'true', 'false', '1', '0', 'x'],
  watch: ['', 'true', 'false', '1', '0', 'x', 'True', 'TRUE'],
  allowWatchBookmarks: ['', 'true', 'false', 'x', '1'],
  sendInitialEvents: ['', 'true', 'false', 'x'],
  shardSelector: ['', 'x', 'shardRange(object.metadata.uid,0x0,0x8)'],
  includeObject: ['', 'None', 'Metadata', 'Object', 'x'],
  unknown: ['', 'x'],
  dryRun: ['All', 'all', 'x', 'All,All', 'None'],
  propagationPolicy: ['', 'Orphan', 'Background', 'Foreground', 'x', 'orphan'],
  gracePeriodSeconds: ['', '0', '1', '-1', 'x', '1.5', '9223372036854775808'],
  orphanDependents: ['', 'true', 'false', 'x'],
  ignoreStoreReadErrorWithClusterBreakingPotential: ['', 'true', 'false', 'x'],
  fieldManager: [
    '',
    'x',
    'x'.repeat(128),
    'x'.repeat(129),
    'é'.repeat(128),
    'a\tb',
    'a\u0000b',
    '\u00a0',
    'a b',
    '\u200b',
    '😀',
  ],
  fieldValidation: ['', 'Strict', 'Warn', 'Ignore', 'strict', 'x'],
  force: ['', 'true', 'false', 'x', '1'],
};
const OF_LISTS = (
  'resourceVersion resourceVersionMatch limit continue timeoutSeconds labelSelector fieldSelector pretty ' +
  'allowWatchBookmarks sendInitialEvents includeObject unknown watch'
).split(' ');
const OF_DELETES =
  'propagationPolicy gracePeriodSeconds orphanDependents ignoreStoreReadErrorWithClusterBreakingPotential pretty'.split(
    ' ',
  );
const OF_GETS = ['resourceVersion', 'pretty', 'includeObject', 'unknown', 'timeoutSeconds', 'fieldSelector'];
const OF_WRITES = ['dryRun', 'fieldManager', 'fieldValidation', 'pretty', 'force', 'unknown', 'timeoutSeconds'];

const JSON_TYPE = 'application/json';
const META = 'g=meta.k8s.io;v=v1';
const ACCEPTED: readonly string[] = [
  JSON_TYPE,
  '*/*',
  'application/*',
  '',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'text/html',
  'text/*',
  'application/json;q=0',
  'application/json;q=0.1,application/yaml;q=0.9',
  'application/yaml;q=x,application/json',
  'text/html,application/json;q=0.5',
  'application/json;pretty=1',
  'application/json;pretty=0',
  'application/json; charset=utf-8',
  'application/json;stream=watch',
  'application/json;stream=x',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'APPLICATION/JSON',
  'application/json;as=',
  `application/json;as=Table;${META}`,
  `application/json;as=Table;${META},application/json`,
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
  'application/json;as=Table;g=meta.k8s.io;v=v2',
  'application/json;as=Table;g=x;v=v1',
  'application/json;as=Table;v=v1',
  'application/json;as=Table;g=meta.k8s.io',
  'application/json;as=Table',
  `application/json;as=table;${META}`,
  `application/json;as=PartialObjectMetadata;${META}`,
  `application/json;as=PartialObjectMetadataList;${META}`,
  `application/json;as=PartialObjectMetadata;${META},application/json;as=PartialObjectMetadataList;${META}`,
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1',
  `application/yaml;as=Table;${META}`,
  `application/vnd.kubernetes.protobuf;as=Table;${META}`,
  `application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;${META},application/json`,
  `application/json;as=List;${META}`,
  `application/json;as=Pod;${META}`,
  `application/json;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2`,
  `text/html,application/json;as=Table;${META};q=0.5,*/*;q=0.1`,
  'application/json;profile=nominal',
  'application/json;profile=aggregated',
  'application/vnd.kubernetes.protobuf;profile=nominal',
  'application/json;',
  ';',
  'json',
  'application',
  'application/json,,application/yaml',
  'application/json;a="b,c"',
  'application/json;a="b',
  'application/apply-patch+yaml',
  'application/json-seq',
  'application/merge-patch+json',
];
const CONTENT_TYPES: readonly string[] = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;charset="utf-8"',
  'APPLICATION/JSON',
  'application/json;',
  'application/json,application/yaml',
  'application/yaml',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/merge-patch+json; charset=utf-8',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+yaml; charset=utf-8',
  'application/apply-patch+cbor',
  'application/apply-patch+json',
  'application/*',
  '*/*',
  'json',
  ';',
  'application/json;a',
  'application/json;as=Table',
  'application/json;stream=watch',
];

/** What a collection is deleted with, all of it as a dry run. */
const DELETE_OPTIONS: readonly object[] = [
  {},
  { kind: 'DeleteOptions' },
  { kind: 'DeleteOptions', apiVersion: 'v1' },
  { kind: 'DeleteOptions', apiVersion: 'x/v1' },
  { kind: 'x', apiVersion: 'v1' },
  { propagationPolicy: 'x' },
  { propagationPolicy: 'Orphan', orphanDependents: true },
  { orphanDependents: false },
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 'x' },
  { preconditions: { uid: 'x' } },
  { preconditions: { resourceVersion: '1' } },
  { preconditions: { uid: 1 } },
  { preconditions: null },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true },
  { unknown: 'x' },
  { DryRun: ['x'] },
];

/** Of which each server has some of its own in other namespaces. */
const OF_SERVERS = /^v1\/(?:ConfigMap|Endpoints|Service)$|\/(?:EndpointSlice|Lease)$/;

/** How questions are asked. */
export interface AskOptions {
  readonly namespace: string;
  readonly values: Values;
}

/**
 * A get, list, watch or a delete as a dry run, with options and headers that clients send or not; now and then a write
 * of an unchanged object with them.
 */
export function askOf(base: Base, options: AskOptions): TrialRequest {
  const { values } = options;
  const collection =
    values.chance(0.1) && !OF_SERVERS.test(base.resource.name)
      ? collectionOf({ ...base.resource, namespaced: false }, options.namespace)
      : collectionOf(base.resource, options.namespace);
  const accept = values.chance(0.5) ? JSON_TYPE : values.pick(ACCEPTED);
  const headers = { accept };
  const asked = { contentType: '', body: '', headers };
  const path = base.object === undefined ? `${collection}/missing` : pathOf(base, options.namespace);
  const way = values.share();
  if (way < 0.1) return { ...asked, method: 'GET', path: path + queryOf(OF_GETS, values) };
  if (way < 0.5) return { ...asked, method: 'GET', path: collection + ending(queryOf(OF_LISTS, values)) };
  if (way < 0.6) {
    const query = queryOf(OF_LISTS.slice(0, -1), values);
    return {
      ...asked,
      method: 'GET',
      path: `${collection}${ending(`${query}${query === '' ? '?' : '&'}watch=1`)}`,
    };
  }
  if (way < 0.85) {
    const one = values.chance(0.5);
    const query = queryOf([...(one ? [] : OF_LISTS.slice(0, -1)), ...OF_DELETES], values);
    const dryRun = values.pick(OPTIONS['dryRun'] as readonly string[]);
    const place = `${one ? path : collection}${query}${query === '' ? '?' : '&'}dryRun=${encodeURIComponent(dryRun)}`;
    if (values.chance(0.5)) return { ...asked, method: 'DELETE', path: place };
    const body = JSON.stringify({ ...values.pick(DELETE_OPTIONS), dryRun: ['All'] });
    const contentType = values.chance(0.8) ? JSON_TYPE : values.pick(CONTENT_TYPES);
    return { ...asked, method: 'DELETE', path: place, body, contentType };
  }
  const { object = { apiVersion: base.resource.apiVersion, kind: base.resource.kind, metadata: { name: 'missing' } } } =
    base;
  const query = queryOf(OF_WRITES.slice(1), values);
  const dryRun = values.pick(OPTIONS['dryRun'] as readonly string[]);
  const method = values.pick(['PATCH', 'POST', 'PUT'] as const);
  return {
    headers,
    method,
    path: `${method === 'POST' ? collection : path}${query}${query === '' ? '?' : '&'}dryRun=${dryRun}`,
    body: JSON.stringify(object),
    contentType: values.chance(0.4)
      ? method === 'PATCH'
        ? values.pick(['application/merge-patch+json', 'application/apply-patch+yaml'])
        : JSON_TYPE
      : values.pick(CONTENT_TYPES),
  };
}

/** What watches is asked for no longer than a second, unless the time is none. */
function ending(query: string): string {
  if (!query.includes('watch=')) return query;
  const times = query.match(/(?<=timeoutSeconds=)[^&]*/g) ?? [];
  return times.some((time) => /[^\d-]|\d{3}/.test(time)) ? query : query.replace('?', '?timeoutSeconds=1&');
}

function queryOf(names: readonly string[], values: Values): string {
  const parameters: string[] = [];
  for (let count = values.below(4); count > 0; count--) {
    const name = values.pick(names);
    parameters.push(`${name}=${encodeURIComponent(values.pick(OPTIONS[name] ?? ['']))}`);
  }
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}
