import { generateKeyPairSync } from 'node:crypto';
import { connect } from 'node:tls';
import { createCertificate } from '@kubechain/apiserver/certificates';
import {
  applied,
  configMap,
  configMaps,
  definition,
  definitions,
  jsonPatch,
  mergePatch,
  namespaced,
  patch,
  post,
} from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { made, uncompared, type HostileRow } from './row.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const fieldsOf = (count: number): object => Object.fromEntries(many(count, (i) => [`f:key-${i}`, {}]));
const custom = (plural: string, body: object): ReturnType<typeof post> =>
  post(
    `/apis/hostile.example/v1/namespaces/hostile/${plural}`,
    JSON.stringify({ apiVersion: 'hostile.example/v1', metadata: { generateName: 'h-' }, ...body }),
  );
const created = (resource: string, spec: object): ReturnType<typeof post> =>
  post(namespaced(resource), JSON.stringify({ metadata: { generateName: 'h-' }, spec }));
const specOf = (properties: object): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

/** A client certificate with so many names, which signs itself. */
function certificate(names: number, bits: number): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const cert = createCertificate({
    commonName: 'a'.repeat(60),
    isCA: false,
    extendedUsages: ['clientAuth'],
    names: many(names, (i) => `name-${i}.example.com`),
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey,
    signingKey: privateKey,
  });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** So many handshakes with it, each asking for the version. */
const handshakes = (
  name: string,
  count: number,
  make: () => { readonly cert: string; readonly key: string },
): HostileRow =>
  attack(
    name,
    async (target) => {
      const shown = make();
      const answers = await Promise.all(
        many(
          count,
          () =>
            new Promise<string>((resolve) => {
              let text = '';
              const socket = connect({ host: '127.0.0.1', port: target.port, rejectUnauthorized: false, ...shown });
              socket.setTimeout(15_000, () => socket.destroy());
              socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
              socket.on('error', () => undefined);
              socket.on('close', () => resolve(text));
              socket.write('GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
            }),
        ),
      );
      return {
        statuses: answers.flatMap((text) =>
          [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
        ),
        text: answers[0] ?? '',
      };
    },
    'nobody',
  );

/** Objects that are a burden for those that come after. */
const all: readonly HostileRow[] = [
  handshakes('certificates of 5,000 names', 20, () => certificate(5_000, 2_048)),
  handshakes('a certificate of a key of 8,192 bits, 20 times', 20, () => certificate(1, 8_192)),
  made('an update with managed fields of 60,000 names', () => ({
    method: 'PUT',
    path: `${configMaps}/kept`,
    headers: { 'content-type': 'application/json' },
    body: configMap({
      metadata: {
        name: 'kept',
        managedFields: many(3, (i) => ({
          manager: `m${i}`,
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': fieldsOf(20_000) },
        })),
      },
    }),
  })),
  made('2,000 entries of managed fields', () =>
    post(
      configMaps,
      configMap({
        metadata: {
          name: 'entries',
          managedFields: many(2_000, (i) => ({
            manager: `m${i}`,
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': fieldsOf(10) },
          })),
        },
      }),
    ),
  ),
  attack('300 owners, each of whom applies the same', async (target) => {
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++)
      statuses.push(
        ...(
          await target.http2(
            many(10, (j) => {
              const request = applied(
                configMap({ metadata: { name: 'owned' }, data: { a: 'b', [`k${i}-${j}`]: 'v' } }),
                `${configMaps}/owned`,
              );
              return { ...request, path: request.path.replace('fieldManager=m', `fieldManager=m${i}-${j}`) };
            }),
          )
        ).statuses,
      );
    return { statuses, text: '' };
  }),
  made('a conflict over 20,000 fields with 20 owners', () => {
    const data = Object.fromEntries(many(1_000, (i) => [`k${i}`, 'a']));
    return [
      ...many(20, (i) => {
        const request = applied(configMap({ metadata: { name: 'fought' }, data }), `${configMaps}/fought`);
        return { ...request, path: request.path.replace('fieldManager=m', `fieldManager=m${i}`) };
      }),
      patch(
        'application/apply-patch+yaml',
        configMap({ metadata: { name: 'fought' }, data: Object.fromEntries(many(1_000, (i) => [`k${i}`, 'b'])) }),
        `${configMaps}/fought?fieldManager=other`,
      ),
    ];
  }),
  made('a definition of fields to be selected', () =>
    post(
      definitions,
      definition('selected', specOf(Object.fromEntries(many(8, (i) => [`f${i}`, { type: 'string' }])))).replace(
        '"served":true',
        `"served":true,"selectableFields":${JSON.stringify(many(8, (i) => ({ jsonPath: `.spec.f${i}` })))}`,
      ),
    ),
  ),
  made('a list by selected fields that are not there', () => ({
    path:
      '/apis/hostile.example/v1/namespaces/hostile/selecteds?fieldSelector=' +
      many(5_000, (i) => `spec.f${i % 9}%3D${i}`).join(','),
  })),
  made('a definition that selects 5,000 fields', () =>
    post(
      definitions,
      definition('many', specOf(Object.fromEntries(many(5_000, (i) => [`f${i}`, { type: 'string' }])))).replace(
        '"served":true',
        `"served":true,"selectableFields":${JSON.stringify(many(5_000, (i) => ({ jsonPath: `.spec.f${i}` })))}`,
      ),
    ),
  ),
  made('a definition of an enum of 100,000 values', () =>
    post(definitions, definition('enums', specOf({ a: { type: 'string', enum: many(100_000, (i) => `value-${i}`) } }))),
  ),
  made('a definition of 20,000 patterns', () =>
    post(
      definitions,
      definition(
        'pattern',
        specOf(Object.fromEntries(many(20_000, (i) => [`f${i}`, { type: 'string', pattern: `^(a+)+${i}$` }]))),
      ),
    ),
  ),
  made('a definition of a pattern of repetitions', () =>
    post(
      definitions,
      definition(
        'repeat',
        specOf({
          a: { type: 'string', pattern: '((a{0,100}){0,100}){0,100}' },
          b: { type: 'string', pattern: '(x+x+)+y' },
        }),
      ),
    ),
  ),
  made('an object for it, of 500,000 letters', () =>
    custom('repeats', { kind: 'Repeat', spec: { b: 'x'.repeat(500_000) } }),
  ),
  made('a definition of 2,000 rules', () =>
    post(
      definitions,
      definition(
        'rule',
        specOf(
          Object.fromEntries(
            many(2_000, (i) => [
              `f${i}`,
              {
                type: 'string',
                maxLength: 10,
                'x-kubernetes-validations': [{ rule: `self.size() < ${i} || self.matches('^(a+)+$')` }],
              },
            ]),
          ),
        ),
      ),
    ),
  ),
  made('a definition of rules that loop', () =>
    post(
      definitions,
      definition(
        'loop',
        specOf({
          a: {
            type: 'array',
            maxItems: 100,
            items: { type: 'integer' },
            'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))' }],
          },
        }),
      ),
    ),
  ),
  made('50 objects for it, of 100 items', () =>
    many(50, () => custom('loops', { kind: 'Loop', spec: { a: many(100, (i) => i) } })),
  ),
  made('a policy of 500 expressions', () =>
    post(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      JSON.stringify({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'hostile' },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
            ],
          },
          variables: many(200, (i) => ({
            name: `v${i}`,
            expression: i === 0 ? 'object.spec' : `[variables.v${i - 1}, variables.v${i - 1}]`,
          })),
          validations: many(300, (i) => ({
            expression: `object.spec.template.spec.containers.all(c, c.image.matches('^(a+)+${i}$') || c.name == '')`,
          })),
        },
      }),
    ),
  ),
  made('JSON patch: 10,000 additions of a large value', () =>
    patch(jsonPatch, JSON.stringify(many(9_000, (i) => ({ op: 'add', path: `/data/k${i}`, value: 'v'.repeat(200) })))),
  ),
  made('merge patch: of everything to null', () =>
    patch(mergePatch, JSON.stringify({ data: Object.fromEntries(many(100_000, (i) => [`k${i}`, null])) })),
  ),
  made('100 pods of 200 containers at once', () =>
    many(100, () =>
      post(
        `${namespaced('pods')}?dryRun=All`,
        JSON.stringify({
          metadata: { generateName: 'h-' },
          spec: {
            containers: many(200, (i) => ({
              name: `c${i}`,
              image: 'i',
              env: many(10, (j) => ({ name: `e${j}`, value: 'v' })),
            })),
          },
        }),
      ),
    ),
  ),
  made('a pod of 40,000 pull secrets', () =>
    created('pods', {
      containers: [{ name: 'c', image: 'i' }],
      imagePullSecrets: many(40_000, (i) => ({ name: `s${i}` })),
    }),
  ),
  made('a pod with an affinity by 60,000 keys, and by none of 60,000 others', () =>
    created('pods', {
      containers: [{ name: 'c', image: 'i' }],
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: 'a',
              labelSelector: {},
              matchLabelKeys: many(60_000, (i) => `a${i}`),
              mismatchLabelKeys: many(60_000, (i) => `b${i}`),
            },
          ],
        },
      },
    }),
  ),
  made('a request for a certificate with 100,000 usages', () =>
    post(
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      JSON.stringify({
        metadata: { generateName: 'h-' },
        spec: { signerName: 'a.b/c', request: '', usages: many(100_000, (i) => `u${i}`) },
      }),
    ),
  ),
  made('a service of 100,000 families and 100,000 addresses', () =>
    created('services', {
      ports: [{ port: 1 }],
      ipFamilies: many(100_000, (i) => `f${i}`),
      externalIPs: many(100_000, (i) => `1.2.${i >> 8}.${i % 256}`),
    }),
  ),
  made('deletions by 5,000 selectors', () => ({
    method: 'DELETE',
    path: `${configMaps}?dryRun=All&labelSelector=${many(5_000, (i) => `a${i}+in+(b,c)`).join(',')}`,
  })),
];

export const burdenRows: readonly HostileRow[] = all.map(uncompared);
