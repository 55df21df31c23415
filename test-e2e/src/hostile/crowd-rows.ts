import {
  applied,
  configMap,
  configMaps,
  definition,
  definitions,
  jsonPatch,
  namespaced,
  patch,
  post,
  strategic,
  yaml,
} from './api-requests.ts';
import { made, request, uncompared, type HostileRow } from './row.ts';
import type { HostileRequest } from './target.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
/** The same, so many times at once. */
const crowd = (count: number, body: HostileRequest): HostileRequest[] => many(count, () => body);
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const protobuf = 'application/vnd.kubernetes.protobuf';
const keys = (count: number): object => Object.fromEntries(many(count, (i) => [`key-${i}`, 'some text of it']));

/** Several clients at once, each with something that is large. */
const all: readonly HostileRow[] = [
  made('12 pods of 20,000 containers at once', () =>
    crowd(
      12,
      post(
        namespaced('pods'),
        JSON.stringify({
          metadata: { generateName: 'h-' },
          spec: { containers: many(20_000, (i) => ({ name: `c${i}`, image: 'i', env: [{ name: 'a', value: 'b' }] })) },
        }),
      ),
    ),
  ),
  made('12 pods of 240,000 empty containers at once', () =>
    crowd(
      12,
      post(namespaced('pods'), `{"metadata":{"generateName":"h-"},"spec":{"containers":[${'{},'.repeat(240_000)}{}]}}`),
    ),
  ),
  made('12 documents of YAML with 100,000 keys at once', () =>
    crowd(12, post(configMaps, `data:\n${many(100_000, (i) => ` k${i}: v`).join('\n')}`, yaml)),
  ),
  made('12 applied objects of 100,000 keys at once', () =>
    many(12, (i) => applied(configMap({ data: keys(100_000) }), `${configMaps}/a${i}`)),
  ),
  made('12 strategic patches of 100,000 keys at once', () =>
    crowd(12, patch(strategic, JSON.stringify({ data: keys(100_000) }))),
  ),
  made('12 JSON patches that copy at once', () =>
    crowd(
      12,
      patch(
        jsonPatch,
        JSON.stringify([
          { op: 'add', path: '/data', value: keys(20_000) },
          ...many(3, (i) => ({ op: 'copy', from: '/data', path: `/metadata/c${i}` })),
        ]),
      ),
    ),
  ),
  made('12 config maps of a megabyte', () =>
    many(12, (i) => post(configMaps, JSON.stringify({ metadata: { name: `crowd-${i}` }, data: keys(35_000) }))),
  ),
  request('12 Tables of them at once', crowd(12, { path: configMaps, headers: { accept: table } })),
  request(
    '12 Tables of them at once, with the objects',
    crowd(12, { path: `${configMaps}?includeObject=Object`, headers: { accept: table } }),
  ),
  request('12 lists of them at once in YAML', crowd(12, { path: configMaps, headers: { accept: 'application/yaml' } })),
  request('12 lists of them at once in protobuf', crowd(12, { path: configMaps, headers: { accept: protobuf } })),
  request('12 lists of their metadata at once', crowd(12, { path: configMaps, headers: { accept: metadata } })),
  request('12 lists of them at once, indented', crowd(12, { path: `${configMaps}?pretty=true` })),
  request('12 lists of them at once by other keys', crowd(12, { path: `${configMaps}?labelSelector=a!%3Db` })),
  request(
    '30 watches of them from the beginning',
    many(30, (i) => ({
      path:
        `${configMaps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true` +
        '&timeoutSeconds=1',
      headers: { accept: [table, `${protobuf};stream=watch`, 'application/json'][i % 3] },
    })),
  ),
  made('30 patches of one of them at once', () =>
    many(30, (i) => patch(strategic, JSON.stringify({ data: { x: String(i) } }), `${configMaps}/crowd-1`)),
  ),
  request('deletions of all of them, 12 times', crowd(12, { method: 'DELETE', path: configMaps, body: '{}' })),
  made('100 bodies of three megabytes at once', () => crowd(100, post(configMaps, `"${'a'.repeat(3_000_000)}"`))),
  made('300 tokens at once', () =>
    crowd(300, post(`${namespaced('serviceaccounts')}/kept/token`, '{"spec":{"expirationSeconds":600}}')),
  ),
  made('500 evictions at once', () =>
    crowd(
      500,
      post(
        `${namespaced('pods')}/kept/eviction`,
        '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"kept"},"deleteOptions":{"dryRun":["All"]}}',
      ),
    ),
  ),
  made('500 bindings at once', () =>
    crowd(
      500,
      post(
        `${namespaced('pods')}/kept/binding?dryRun=All`,
        '{"apiVersion":"v1","kind":"Binding","metadata":{"name":"kept"},"target":{"kind":"Node","name":"nowhere"}}',
      ),
    ),
  ),
  made('1,000 names to be generated at once', () =>
    crowd(1_000, post(`${configMaps}?dryRun=All`, JSON.stringify({ metadata: { generateName: 'a'.repeat(250) } }))),
  ),
  request('200 discoveries at once', [
    ...crowd(100, {
      path: '/apis',
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
    }),
    ...crowd(100, { path: '/api', headers: { accept: 'application/yaml' } }),
  ]),
  made('20 definitions at once, and everything that tells of them', () => [
    ...many(20, (i) =>
      post(
        definitions,
        definition(`crowd${String.fromCharCode(97 + i)}`, {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: Object.fromEntries(
                many(200, (j) => [`p${j}`, { type: 'string', description: 'd'.repeat(200) }]),
              ),
            },
          },
        }),
      ),
    ),
    ...crowd(20, { path: '/openapi/v2' }),
    ...crowd(20, { path: '/openapi/v3/apis/hostile.example/v1' }),
    ...crowd(20, { path: '/apis' }),
  ]),
];

export const crowdRows: readonly HostileRow[] = all.map(uncompared);
