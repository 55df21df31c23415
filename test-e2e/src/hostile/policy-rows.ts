import { configMaps, definition, definitions, post } from './api-requests.ts';
import { crowd, letters } from './many-rows.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type HostileRequest } from './target.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const policies = `${admission}/validatingadmissionpolicies`;
const bindings = `${admission}/validatingadmissionpolicybindings`;
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const asAdministrator = ({ port }: Target): Target => new Target(port, administrator);
const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'hostile' } };
const configMapsOnly = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
const written = post(`${configMaps}?dryRun=All`, '{"metadata":{"generateName":"h-"},"data":{"a":"b"}}');

const policy = (name: string, spec: object): HostileRequest =>
  post(
    policies,
    JSON.stringify({
      metadata: { name },
      spec: { matchConstraints: { namespaceSelector, resourceRules: configMapsOnly }, ...spec },
    }),
  );
const binding = (name: string, policyName: string, spec: object = {}): HostileRequest =>
  post(bindings, JSON.stringify({ metadata: { name }, spec: { policyName, validationActions: ['Deny'], ...spec } }));

/** Policies of the administrator, and what the ordinary user writes under them. */
function bound(name: string, make: () => readonly HostileRequest[], writes = 20): HostileRow {
  return crowd(`policies, ${name}`, {
    make,
    collections: [bindings, policies],
    used: many(writes, () => written),
    as: asAdministrator,
  });
}

/** One bound policy of these variables and validations. */
const evaluated = (name: string, make: () => object): HostileRow =>
  bound(name, () => [policy('evaluated', make()), binding('evaluated', 'evaluated')]);

const custom = (kind: string, spec: unknown): HostileRequest =>
  post(
    `/apis/hostile.example/v1/namespaces/hostile/${kind.toLowerCase()}s`,
    JSON.stringify({ apiVersion: 'hostile.example/v1', kind, metadata: { generateName: 'h-' }, spec }),
  );

/** Policies and rules as large as what looks at them allows, and many of them. */
export const policyRows: readonly HostileRow[] = [
  bound('400 of 100 rules each for what they match', () =>
    many(400, (i) => [
      policy(`many-${i}`, {
        matchConstraints: {
          namespaceSelector,
          resourceRules: many(100, (j) => ({
            apiGroups: many(20, (k) => `g${j}-${k}.example`),
            apiVersions: ['v1', 'v2'],
            operations: ['CREATE', 'UPDATE'],
            resources: many(20, (k) => `r${k}`),
            resourceNames: many(20, (k) => `n${k}`),
          })),
        },
        validations: [{ expression: 'object.metadata.name != ""' }],
      }),
      binding(`many-${i}`, `many-${i}`),
    ]).flat(),
  ),
  evaluated('8,000 variables, each of the one before', () => ({
    variables: many(8_000, (i) => ({ name: `v${i}`, expression: i === 0 ? '1' : `variables.v${i - 1} + 1` })),
    validations: [{ expression: 'variables.v7999 > 0' }],
  })),
  evaluated('1,000 variables, each of all before', () => ({
    variables: many(1_000, (i) => ({
      name: `v${i}`,
      expression: i === 0 ? '[1]' : `variables.v${i - 1} + variables.v${i >> 1} != [] ? [1] : [2]`,
    })),
    validations: many(500, (i) => ({ expression: `variables.v${i * 2} != []` })),
  })),
  evaluated('an expression of 20,000 alternatives', () => ({
    validations: [{ expression: many(20_000, (i) => `object.metadata.name == "${i}"`).join(' || ') + ' || true' }],
  })),
  evaluated('an expression of 200 levels of everything', () => ({
    validations: [
      { expression: `${'('.repeat(200)}true${')'.repeat(200)}` },
      { expression: `${'[true].all(x, '.repeat(11)}true${')'.repeat(11)}` },
      { expression: `${'true ? ('.repeat(80)}true${') : false'.repeat(80)}` },
      { expression: `${'['.repeat(200)}1${']'.repeat(200)} != []` },
      { expression: `${"{'a': ".repeat(80)}1${'}'.repeat(80)} != {}` },
    ],
  })),
  evaluated('a list of 50,000 items, looked through by each of 50', () => ({
    variables: [{ name: 'list', expression: `[${many(50_000, (i) => `"v${i}"`).join(',')}]` }],
    validations: many(50, (i) => ({ expression: `!variables.list.exists(x, x == object.metadata.name + "${i}")` })),
  })),
  bound('one with 500 bindings, each with all of the params', () => [
    ...many(50, (i) =>
      post(
        configMaps,
        JSON.stringify({ metadata: { name: `param-${i}`, labels: { param: 'yes' } }, data: { a: 'b' } }),
      ),
    ),
    policy('params', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'object.metadata.name != params.data.a' }],
    }),
    ...many(500, (i) =>
      binding(`params-${i}`, 'params', {
        paramRef: { selector: { matchLabels: { param: 'yes' } }, parameterNotFoundAction: 'Allow' },
      }),
    ),
  ]),
  bound('500 of params of kinds that are not there', () =>
    many(500, (i) => [
      policy(`nowhere-${i}`, {
        paramKind: { apiVersion: `g${i}.example/v1`, kind: 'Nowhere' },
        validations: [{ expression: 'params == null || object.metadata.name != params.metadata.name' }],
        failurePolicy: 'Ignore',
      }),
      binding(`nowhere-${i}`, `nowhere-${i}`, {
        paramRef: { name: 'p', namespace: 'hostile', parameterNotFoundAction: 'Allow' },
      }),
    ]).flat(),
  ),
  crowd('policies, 300 for ten kinds each, of which nobody is bound', {
    make: () =>
      many(300, (i) =>
        policy(`kinds-${i}`, {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['pods', 'services', 'nodes', 'secrets', 'configmaps'],
              },
              {
                apiGroups: ['apps', 'batch'],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['deployments', 'statefulsets', 'daemonsets', 'jobs', 'cronjobs'],
              },
            ],
          },
          validations: many(10, (j) => ({
            expression: `object.metadata.name != "n${i}-${j}" && object.spec.a == ${j}`,
          })),
        }),
      ),
    collections: [policies],
    used: many(20, () => written),
  }),
  crowd('60 definitions of 1,200 rules each, and objects for them', {
    make: () =>
      many(60, (i) =>
        post(
          definitions,
          definition(`x${letters(i)}`, {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: Object.fromEntries(
                  many(1_200, (j) => [
                    `f${j}`,
                    {
                      type: 'string',
                      maxLength: 20,
                      'x-kubernetes-validations': [{ rule: `self.size() < ${j} || self.startsWith('${j}')` }],
                    },
                  ]),
                ),
              },
            },
          }),
        ),
      ),
    collections: [definitions],
    used: many(60, (i) => custom(`X${letters(i)}`, Object.fromEntries(many(1_200, (j) => [`f${j}`, `${j}`])))),
  }),
  crowd('a definition of as much cost as is allowed, and 50 objects for it', {
    make: () => [
      post(
        definitions,
        definition('costly', {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: Object.fromEntries(
                many(12, (j) => [
                  `f${j}`,
                  {
                    type: 'array',
                    maxItems: 300,
                    items: { type: 'integer' },
                    'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a + b >= 0))' }],
                  },
                ]),
              ),
            },
          },
        }),
      ),
    ],
    collections: [definitions],
    used: many(50, () => custom('Costly', Object.fromEntries(many(12, (j) => [`f${j}`, many(300, (i) => i)])))),
  }),
  crowd('a definition of 12,000 rules for one value, and 10 objects for it', {
    make: () => [
      post(
        definitions,
        definition('ruled', {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: { a: { type: 'string', maxLength: 10 } },
              'x-kubernetes-validations': many(12_000, (i) => ({ rule: `self.a != "${i}-${'x'.repeat(40)}"` })),
            },
          },
        }),
      ),
    ],
    collections: [definitions],
    used: many(10, () => custom('Ruled', { a: 'b' })),
  }),
];
