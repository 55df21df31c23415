import { configMaps, definitions, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type HostileRequest, type Outcome } from './target.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const text = 'x'.repeat(40);
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'hostile' } };
const written = post(`${configMaps}?dryRun=All`, '{"metadata":{"generateName":"h-"}}');

/** What an administrator has been talked into, what an ordinary user does then, and its end. */
function configured(
  name: string,
  make: () => readonly (readonly [collection: string, object: object])[],
  used: readonly HostileRequest[] = [written, written, written],
): HostileRow {
  return attack(`configuration: ${name}`, async (target) => {
    const admin = new Target(target.port, administrator);
    const objects = make();
    const outcomes: Outcome[] = [];
    for (const [collection, object] of objects)
      outcomes.push(await admin.http2([post(collection, JSON.stringify(object))]));
    outcomes.push(await target.http2(used));
    for (const [collection, object] of objects) {
      const path = `${collection}/${(object as { metadata: { name: string } }).metadata.name}`;
      outcomes.push(await admin.http2([{ method: 'DELETE', path }]));
    }
    return { statuses: outcomes.flatMap(({ statuses }) => statuses), text: outcomes[0]?.text ?? '' };
  });
}

const binding = (collection: string, more: object = {}): readonly [string, object] => [
  `${admission}/${collection}`,
  { metadata: { name: 'large' }, spec: { policyName: 'large', ...more } },
];

/** A definition of `props`, which has a kind of its own by its name. */
function definitionOf(plural: string, props: object): readonly [string, object] {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
  return [
    definitions,
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.hostile.example` },
      spec: {
        group: 'hostile.example',
        scope: 'Namespaced',
        names: { plural, kind },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: props } }],
      },
    },
  ];
}

/** Configurations that are as large as the store takes them. */
export const configurationRows: readonly HostileRow[] = [
  configured('webhooks of 12,000 conditions', () => [
    [
      `${admission}/validatingwebhookconfigurations`,
      {
        metadata: { name: 'large' },
        webhooks: many(200, (j) => ({
          name: `w${j}.hostile.example`,
          clientConfig: { url: 'https://localhost:1/' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          rules,
          namespaceSelector,
          failurePolicy: 'Ignore',
          timeoutSeconds: 1,
          matchConditions: many(60, (i) => ({ name: `c${i}`, expression: `object.metadata.name == "${i}-${j}"` })),
        })),
      },
    ],
  ]),
  configured('a policy of 12,000 validations', () => [
    [
      `${admission}/validatingadmissionpolicies`,
      {
        metadata: { name: 'large' },
        spec: {
          matchConstraints: { resourceRules: rules, namespaceSelector },
          validations: many(12_000, (i) => ({ expression: `object.metadata.name != "${i}${text}"` })),
        },
      },
    ],
    binding('validatingadmissionpolicybindings', { validationActions: ['Deny'] }),
  ]),
  configured('a policy of 8,000 variables', () => [
    [
      `${admission}/validatingadmissionpolicies`,
      {
        metadata: { name: 'large' },
        spec: {
          matchConstraints: { resourceRules: rules, namespaceSelector },
          variables: many(8_000, (i) => ({ name: `v${i}`, expression: i === 0 ? '1' : `variables.v${i - 1} + 1` })),
          validations: [{ expression: 'variables.v100 > 0' }],
        },
      },
    ],
    binding('validatingadmissionpolicybindings', { validationActions: ['Deny'] }),
  ]),
  configured('a policy of 500 mutations', () => [
    [
      `${admission}/mutatingadmissionpolicies`,
      {
        metadata: { name: 'large' },
        spec: {
          reinvocationPolicy: 'Never',
          matchConstraints: { resourceRules: rules, namespaceSelector },
          mutations: many(500, (i) => ({
            patchType: 'JSONPatch',
            jsonPatch: { expression: `[JSONPatch{op: "add", path: "/data", value: {"a${i}": "b"}}]` },
          })),
        },
      },
    ],
    binding('mutatingadmissionpolicybindings'),
  ]),
  configured(
    'a definition of 12,000 rules',
    () => [
      definitionOf('ruled', {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { a: { type: 'string', maxLength: 10 } },
            'x-kubernetes-validations': many(12_000, (i) => ({ rule: `self.a != "${i}${text}"`, message: `no ${i}` })),
          },
        },
      }),
    ],
    [{ path: '/apis/hostile.example/v1' }, { path: '/openapi/v3/apis/hostile.example/v1' }],
  ),
  configured(
    'a definition of 12,000 properties with a rule each',
    () => [
      definitionOf('propertied', {
        type: 'object',
        properties: Object.fromEntries(
          many(12_000, (i) => [
            `p${i}`,
            { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: `self != "${i}"`, message: 'no' }] },
          ]),
        ),
      }),
    ],
    [{ path: '/apis/hostile.example/v1' }, { path: '/openapi/v3/apis/hostile.example/v1' }],
  ),
  configured('a flow schema of 3,000 rules', () => [
    [
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
      {
        metadata: { name: 'large' },
        spec: {
          priorityLevelConfiguration: { name: 'global-default' },
          matchingPrecedence: 5,
          rules: many(3_000, (i) => ({
            subjects: many(3, (j) => ({ kind: 'User', user: { name: `u${i}-${j}` } })),
            resourceRules: [{ verbs: ['get'], apiGroups: ['g'], resources: ['r'], namespaces: ['n'] }],
          })),
        },
      },
    ],
  ]),
  configured('a role of 20,000 rules, for all', () => [
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      {
        metadata: { name: 'large' },
        rules: many(20_000, (i) => ({ apiGroups: [`g${i}`], resources: ['r'], verbs: ['get'] })),
      },
    ],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      {
        metadata: { name: 'large' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'large' },
        subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' }],
      },
    ],
  ]),
  configured('a slice of 128 devices with 32 attributes each', () => [
    [
      '/apis/resource.k8s.io/v1/resourceslices',
      {
        metadata: { name: 'large' },
        spec: {
          driver: 'hostile.example',
          nodeName: 'n',
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          devices: many(128, (i) => ({
            name: `d${i}`,
            attributes: Object.fromEntries(many(32, (j) => [`a${j}`, { string: text }])),
          })),
        },
      },
    ],
  ]),
];
