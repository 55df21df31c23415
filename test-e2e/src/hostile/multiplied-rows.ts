import { X509Certificate } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { localhostCertificate } from '../harness/local-https.ts';
import { configMaps, definition, definitions, mergePatch, namespaced, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type HostileRequest, type Outcome } from './target.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const policies = '/apis/admissionregistration.k8s.io/v1';
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const numbered = (count: number, prefix: string): string[] => many(count, (i) => `${prefix}${i}`);
const named = (collection: string, more: object): HostileRequest => post(collection, JSON.stringify(more));
const rules = many(8_000, (i) => ({ apiGroups: ['a'], resources: [`r${i}`], verbs: ['get'] }));
const mayMakeRoles = {
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['roles', 'rolebindings'],
  verbs: ['create'],
};

/** A service account with these rights and none to go beyond them, as whom roles are made. */
function granted(name: string, held: readonly object[], asked: readonly HostileRequest[]): HostileRow {
  return attack(`rights: ${name}`, async (target) => {
    await target.http2([
      named(namespaced('roles', rbac), { metadata: { name: 'maker' }, rules: [...held, mayMakeRoles] }),
      named(namespaced('rolebindings', rbac), {
        metadata: { name: 'maker' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'maker' },
        subjects: [{ kind: 'ServiceAccount', name: 'kept', namespace: 'hostile' }],
      }),
    ]);
    const { text } = await target.http2([post(`${namespaced('serviceaccounts')}/kept/token`, '{"spec":{}}')]);
    const maker = new Target(target.port, /"token":"([^"]+)"/.exec(text)?.[1] ?? '');
    for (let tries = 0; tries < 100; tries++) {
      const { statuses } = await maker.http2([post(`${namespaced('roles', rbac)}?dryRun=All`, '{}')]);
      if (statuses[0] !== 403) break;
      await delay(50);
    }
    return maker.http2(asked);
  });
}

const role = (name: string, of: readonly object[]): HostileRequest =>
  named(namespaced('roles', rbac), { metadata: { name }, rules: of });

/** So many certificates, as PEM: of one that is given, by other numbers. */
function authorities(count: number): string {
  const der = new X509Certificate(localhostCertificate().cert).raw;
  // Version 3, then the serial number: a tag, its length, its bytes.
  const at = der.indexOf(Buffer.from('a003020102', 'hex')) + 5;
  const length = der[at + 1] ?? 0;
  return many(count, (i) => {
    const copy = Buffer.from(der);
    copy.writeUInt16BE(i, at + 2 + length - 2);
    const text = copy.toString('base64').replace(/.{64}/g, '$&\n');
    return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  }).join('');
}

async function convertedByNobody(target: Target): Promise<Outcome> {
  const whole = JSON.parse(definition('bend', { type: 'object' })) as { spec: { versions: object[] } };
  const [version] = whole.spec.versions;
  Object.assign(whole.spec, {
    versions: [version, { ...version, name: 'v2', storage: false }],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: 'https://localhost:1/', caBundle: Buffer.from(authorities(1_000)).toString('base64') },
      },
    },
  });
  const of = (served: string): string => `/apis/hostile.example/${served}/namespaces/hostile/bends`;
  const made = await target.http2([named(definitions, whole)]);
  for (let tries = 0; tries < 100; tries++) {
    const { statuses } = await target.http2([
      named(of('v1'), { kind: 'Bend', apiVersion: 'hostile.example/v1', metadata: { name: 'b' } }),
    ]);
    if (statuses[0] === 201) break;
    await delay(100);
  }
  const asked = await target.http2(many(60, () => ({ path: `${of('v2')}/b` })));
  // As by kube-apiserver, what cannot be converted is a failure of the server.
  return { statuses: made.statuses, text: asked.text };
}

/** A policy of the administrator for the user's secrets, of these variables and this expression. */
function evaluated(name: string, variables: readonly string[], expression: string): HostileRow {
  return attack(`expressions: ${name}`, async (target) => {
    const admin = new Target(target.port, administrator);
    const made = { policyName: 'evaluated', validationActions: ['Deny'] };
    await admin.http2([
      named(`${policies}/validatingadmissionpolicies`, {
        metadata: { name: 'evaluated' },
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'hostile' } },
          },
          variables: variables.map((source, i) => ({ name: `v${i}`, expression: source })),
          validations: [{ expression }],
        },
      }),
      named(`${policies}/validatingadmissionpolicybindings`, { metadata: { name: 'evaluated' }, spec: made }),
    ]);
    await delay(500);
    try {
      return await target.http2(many(3, (i) => named(namespaced('secrets'), { metadata: { name: `s${i}` } })));
    } finally {
      await admin.http2(
        ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'].map((plural) => ({
          method: 'DELETE',
          path: `${policies}/${plural}/evaluated`,
        })),
      );
    }
  });
}

/** A definition of this schema, and an object for it. */
function defined(name: string, schema: object, spec: object): HostileRow {
  return attack(name, async (target) => {
    const made = await target.http2([
      post(definitions, definition('multiply', { type: 'object', properties: { spec: schema } })),
    ]);
    const path = '/apis/hostile.example/v1/namespaces/hostile/multiplys';
    for (let tries = 0; tries < 50; tries++) {
      const { statuses } = await target.http2([{ path }]);
      if (statuses[0] !== 404) break;
      await delay(100);
    }
    const object = { apiVersion: 'hostile.example/v1', kind: 'Multiply', metadata: { name: 'm' }, spec };
    const { statuses, text } = await target.http2([named(path, object)]);
    return { statuses: [...made.statuses, ...statuses], text };
  });
}

const letters = (count: number): string => `'${'x'.repeat(count)}'`;
const doubled = (first: string, times: number, of: (before: string) => string): string[] => [
  first,
  ...many(times, (i) => of(`variables.v${i}`)),
];

/** A policy of the administrator that looks at whatever the user has as its params. */
async function withParams(target: Target): Promise<Outcome> {
  const admin = new Target(target.port, administrator);
  await admin.http2([
    named(`${policies}/validatingadmissionpolicies`, {
      metadata: { name: 'params' },
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'hostile' } },
        },
        validations: many(10, (i) => ({
          expression: `object.metadata.name != params.data.a && [1, 2, 3, 4, 5, 6, 7, 8].all(x, x != ${100 + i})`,
        })),
      },
    }),
    named(`${policies}/validatingadmissionpolicybindings`, {
      metadata: { name: 'params' },
      spec: {
        policyName: 'params',
        paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
        validationActions: ['Deny'],
      },
    }),
  ]);
  try {
    for (let i = 0; i < 40; i++)
      await target.http2(many(100, (j) => named(configMaps, { metadata: { name: `p${i}-${j}` }, data: { a: 'b' } })));
    await delay(500);
    return await target.http2(many(3, (i) => named(namespaced('secrets'), { metadata: { name: `s${i}` } })));
  } finally {
    await admin.http2(
      ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'].map((plural) => ({
        method: 'DELETE',
        path: `${policies}/${plural}/params`,
      })),
    );
  }
}

/** What is little to send, and multiplies: with itself, or with what is stored. */
export const multipliedRows: readonly HostileRow[] = [
  granted(
    'a thousand million, of 18 KB',
    [],
    [
      role('product', [
        { verbs: numbered(1_000, 'v'), apiGroups: numbered(1_000, 'g'), resources: numbered(1_000, 'r') },
      ]),
    ],
  ),
  granted('8,000 of somebody who has them', rules, [role('same', rules)]),
  granted('8,000 of somebody who has others', rules, [
    role(
      'others',
      rules.map((rule) => ({ ...rule, verbs: ['list'] })),
    ),
  ]),
  attack('conversion: by nobody, with a thousand authorities', convertedByNobody),
  attack('a policy with 4,000 params', withParams),
  evaluated('a list of a hundred million', [], 'lists.range(100000000).size() > 1'),
  evaluated(
    'lists that double',
    doubled('lists.range(10000)', 25, (before) => `${before} + ${before}`),
    'variables.v25.size() > 1',
  ),
  evaluated(
    'lists in lists',
    doubled('[1]', 40, (before) => `[${before}, ${before}]`),
    'variables.v40 == variables.v40',
  ),
  evaluated(
    'letters that become texts',
    [letters(1_000), ...many(2, (i) => `variables.v${i}.replace("x", variables.v${i})`)],
    'variables.v2.size() > 1',
  ),
  defined(
    'rules: letters that become texts',
    {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': [
        { rule: `${letters(700)}.replace('x', ${letters(700)}).replace('x', ${letters(700)}).size() > 5` },
      ],
    },
    { a: 1 },
  ),
  defined(
    'rules: a query of 200,000 values of one name',
    {
      type: 'object',
      properties: { u: { type: 'string', 'x-kubernetes-validations': [{ rule: 'url(self).getQuery().size() < 2' }] } },
    },
    { u: `https://e.com/?${'a&'.repeat(200_000)}` },
  ),
  defined(
    'defaults: of 5,000 members for 20,000 items',
    {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              a: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                default: Object.fromEntries(many(5_000, (i) => [`k${i}`, 'v'])),
              },
            },
          },
        },
      },
    },
    { list: many(20_000, () => ({})) },
  ),
  attack('quotas: 60 of 8,000 names, beside 20 pods of 1,000 containers', async (target) => {
    const hard = { cpu: '1M', ...Object.fromEntries(many(8_000, (i) => [`requests.a.b/r${i}`, '1k'])) };
    const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
    await target.http2(many(60, (i) => named(namespaced('resourcequotas'), { metadata: { name: `q${i}` } })));
    await target.http2(
      many(60, (i) => ({
        method: 'PATCH',
        path: `${namespaced('resourcequotas')}/q${i}/status`,
        headers: { 'content-type': mergePatch },
        body: JSON.stringify({ status: { hard, used } }),
      })),
    );
    await delay(500);
    const resources = { limits: { cpu: '1', 'a.b/r1': '1' } };
    const containers = many(1_000, (i) => ({ name: `c${i}`, image: 'i', resources }));
    return target.http2(
      many(20, (i) => named(`${namespaced('pods')}?dryRun=All`, { metadata: { name: `m${i}` }, spec: { containers } })),
    );
  }),
  attack('limits: defaults of 4,000 names for 1,000 containers', async (target) => {
    await target.http2([
      named(namespaced('limitranges'), {
        metadata: { name: 'many' },
        spec: {
          limits: [{ type: 'Container', default: Object.fromEntries(many(4_000, (i) => [`a.b/r${i}`, '1'])) }],
        },
      }),
    ]);
    await delay(500);
    return target.http2([
      named(namespaced('pods'), {
        metadata: { name: 'm' },
        spec: { containers: many(1_000, (i) => ({ name: `c${i}`, image: 'i' })) },
      }),
    ]);
  }),
];
