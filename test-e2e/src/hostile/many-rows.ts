import { configMaps, definition, definitions, namespaced, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target, type HostileRequest, type Outcome } from './target.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const rbac = 'rbac.authorization.k8s.io/v1';
/** So many are under way at once. */
const atOnce = 50;
const hostileOnly = { matchLabels: { 'kubernetes.io/metadata.name': 'hostile' } };
const written: HostileRequest = post(`${configMaps}?dryRun=All`, '{"metadata":{"generateName":"h-"}}');
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Sends them in turn, some at once; what was answered otherwise than 201 and 200 is told first. */
async function sent(target: Target, requests: readonly HostileRequest[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (let i = 0; i < requests.length; i += atOnce) outcomes.push(await target.http2(requests.slice(i, i + atOnce)));
  const statuses = outcomes.flatMap((outcome) => outcome.statuses);
  const odd = outcomes.find((outcome) => outcome.statuses.some((status) => status >= 300)) ?? outcomes[0];
  return { statuses, text: odd?.text ?? '' };
}

/** Small objects, many of them; what is asked with all of them there, and their end. */
export function crowd(
  name: string,
  {
    as = (target) => target,
    collections,
    make,
    used = [written, written, written],
  }: {
    readonly make: () => readonly HostileRequest[];
    readonly collections: readonly string[];
    readonly used?: readonly HostileRequest[];
    readonly as?: (target: Target) => Target;
  },
): HostileRow {
  return attack(`many: ${name}`, async (target) => {
    const maker = as(target);
    const outcomes = [await sent(maker, make()), await sent(target, used)];
    for (const path of collections) outcomes.push(await maker.http2([{ method: 'DELETE', path }]));
    const failed = outcomes.find(({ statuses }) => statuses.some((status) => status >= 500));
    return { statuses: outcomes.flatMap(({ statuses }) => statuses), text: (failed ?? outcomes[0])?.text ?? '' };
  });
}

const asAdministrator = ({ port }: Target): Target => new Target(port, administrator);
/** Three letters for each number. */
export const letters = (i: number): string =>
  String.fromCharCode(...[i / 676, (i / 26) % 26, i % 26].map((n) => 97 + n));

/** What does not hold a server where it is one, and might where it is one of thousands. */
export const manyRows: readonly HostileRow[] = [
  crowd('300 definitions, and everything that tells of them', {
    make: () => many(300, (i) => post(definitions, definition(`m${letters(i)}`, { type: 'object' }))),
    collections: [definitions],
    used: [
      ...many(20, () => ({ path: '/openapi/v2' })),
      ...many(20, () => ({ path: '/openapi/v3/apis/hostile.example/v1' })),
      ...many(20, () => ({ path: '/apis/hostile.example/v1' })),
      ...many(20, () => ({ path: definitions })),
    ],
  }),
  crowd('3,000 policies that bind nobody', {
    make: () =>
      many(3_000, (i) =>
        post(
          `${admission}/validatingadmissionpolicies`,
          JSON.stringify({
            metadata: { name: `many-${i}` },
            spec: {
              matchConstraints: {
                resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['*'] }],
              },
              validations: [{ expression: `object.metadata.name != "n${i}"` }],
            },
          }),
        ),
      ),
    collections: [`${admission}/validatingadmissionpolicies`],
  }),
  crowd('500 policies, each with a binding', {
    make: () =>
      many(500, (i) => [
        post(
          `${admission}/validatingadmissionpolicies`,
          JSON.stringify({
            metadata: { name: `many-${i}` },
            spec: {
              matchConstraints: {
                namespaceSelector: hostileOnly,
                resourceRules: [
                  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
                ],
              },
              validations: [{ expression: `object.metadata.name != "n${i}"` }],
            },
          }),
        ),
        post(
          `${admission}/validatingadmissionpolicybindings`,
          JSON.stringify({
            metadata: { name: `many-${i}` },
            spec: { policyName: `many-${i}`, validationActions: ['Deny', 'Audit'] },
          }),
        ),
      ]).flat(),
    collections: [`${admission}/validatingadmissionpolicybindings`, `${admission}/validatingadmissionpolicies`],
    used: many(50, () => written),
    as: asAdministrator,
  }),
  crowd('1,000 configurations of webhooks that are never asked', {
    make: () =>
      many(1_000, (i) =>
        post(
          `${admission}/validatingwebhookconfigurations`,
          JSON.stringify({
            metadata: { name: `many-${i}` },
            webhooks: [
              {
                name: 'w.hostile.example',
                clientConfig: { url: 'https://localhost:1/' },
                sideEffects: 'None',
                admissionReviewVersions: ['v1'],
                namespaceSelector: hostileOnly,
                rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
                matchConditions: [{ name: 'c', expression: `object.metadata.name == "n${i}"` }],
              },
            ],
          }),
        ),
      ),
    collections: [`${admission}/validatingwebhookconfigurations`],
    used: many(20, () => written),
    as: asAdministrator,
  }),
  crowd('2,000 roles and as many bindings', {
    make: () =>
      many(2_000, (i) => [
        post(
          namespaced('roles', rbac),
          JSON.stringify({
            metadata: { name: `many-${i}` },
            rules: [{ apiGroups: [''], resources: [`r${i}`], verbs: ['get'] }],
          }),
        ),
        post(
          namespaced('rolebindings', rbac),
          JSON.stringify({
            metadata: { name: `many-${i}` },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: `many-${i}` },
            subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
          }),
        ),
      ]).flat(),
    collections: [`${namespaced('rolebindings', rbac)}?fieldSelector=metadata.name!%3Deve`, namespaced('roles', rbac)],
    used: many(300, (i) => ({ path: namespaced(`r${i}`) })),
  }),
  crowd('100 registered APIs that nobody serves', {
    make: () =>
      many(100, (i) =>
        post(
          '/apis/apiregistration.k8s.io/v1/apiservices',
          JSON.stringify({
            metadata: { name: `v1.m${letters(i)}.hostile.example`, labels: { hostile: 'many' } },
            spec: {
              group: `m${letters(i)}.hostile.example`,
              version: 'v1',
              service: { namespace: 'hostile', name: 'nowhere' },
              insecureSkipTLSVerify: true,
              groupPriorityMinimum: 1_000,
              versionPriority: 15,
            },
          }),
        ),
      ),
    collections: ['/apis/apiregistration.k8s.io/v1/apiservices?labelSelector=hostile%3Dmany'],
    used: [...many(20, () => ({ path: '/apis' })), ...many(20, () => ({ path: '/openapi/v2' }))],
    as: asAdministrator,
  }),
  crowd('4,000 objects, and all ways to ask for them', {
    make: () =>
      many(4_000, (i) =>
        post(configMaps, JSON.stringify({ metadata: { name: `many-${i}`, labels: { a: `v${i}` } }, data: { a: 'b' } })),
      ),
    collections: [`${configMaps}?fieldSelector=metadata.name!%3Dkept`],
    used: [
      ...many(300, (i) => ({ path: `${configMaps}?labelSelector=a%3Dv${i}` })),
      ...many(300, (i) => ({ path: `${configMaps}?labelSelector=a+in+(${many(50, (j) => `v${i + j}`).join()})` })),
      ...many(300, (i) => ({ path: `${configMaps}?fieldSelector=metadata.name%3Dmany-${i}` })),
      ...many(100, (i) => ({ path: `${configMaps}?limit=${i + 1}` })),
      ...many(100, (i) => ({ path: `${configMaps}?watch=true&timeoutSeconds=1&labelSelector=a!%3Dv${i}` })),
    ],
  }),
];
