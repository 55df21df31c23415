import type { Step } from './step.ts';
import { gadgetDefinition, tailSteps } from './tail-steps.ts';
import { statusCreates } from './status-creates.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const widgets = '/apis/wire.example.com/v1/namespaces/default/widgets';
const long = (length: number): string => 'n'.repeat(length);

/** Texts that Go's encoder writes otherwise than JavaScript's. */
const odd = '<a href="x">&amp;</a> \u2028\u2029 \u0000\u0001\b\f\n\r\t\u001f \ud83d\ude00 \u00e9 \\ / \' `';

function configMap(name: string, data: Record<string, string> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations: { odd } }, data };
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.wire.example.com' },
  spec: {
    group: 'wire.example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer' },
                  text: { type: 'string', maxLength: 200, pattern: '^[^!]*$' },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
        selectableFields: [{ jsonPath: '.spec.text' }],
        subresources: { status: {} },
      },
    ],
  },
};

/** Before the others: what they need. */
export const preparation: readonly Step[] = [
  { method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: definition },
  gadgetDefinition,
];

const escapes: readonly Step[] = [
  { method: 'POST', path: configMaps, body: configMap('escapes', { a: odd, 'b.c': '<&>' }) },
  { method: 'GET', path: `${configMaps}/escapes` },
  { method: 'GET', path: `${configMaps}?fieldSelector=metadata.name=escapes` },
  { method: 'GET', path: `${configMaps}/escapes`, accept: 'application/yaml' },
  {
    method: 'GET',
    path: `${configMaps}/escapes`,
    accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  },
  { method: 'POST', path: configMaps, body: { ...configMap('control', { a: '\u007f' }) } },
  { method: 'GET', path: `${configMaps}/control`, accept: 'application/yaml' },
  { method: 'DELETE', path: `${configMaps}/control` },
  { method: 'GET', path: `${configMaps}/%3Cno%3E%26` },
  { method: 'GET', path: `${configMaps}?fieldSelector=%3C%26%3E%3D1` },
  { method: 'GET', path: `${configMaps}?labelSelector=%3C%26%3E` },
  { method: 'GET', path: `${configMaps}?limit=%3C%26%3E` },
  { method: 'POST', path: configMaps, body: configMap('<&>\u2028') },
  { method: 'PATCH', path: `${configMaps}/escapes`, body: { data: { '<&>': 'x' } } },
  { method: 'PATCH', path: `${configMaps}/escapes`, body: { data: { 'd.e': '\u2028<&>' } } },
  {
    method: 'POST',
    path: widgets,
    body: {
      apiVersion: 'wire.example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', annotations: { odd } },
      spec: { size: 1, text: odd, free: { '<b>': odd, a: 1e21, z: 0.000001, n: -0, big: 2 ** 53 } },
    },
  },
  { method: 'GET', path: `${widgets}/w` },
  { method: 'GET', path: widgets },
  { method: 'GET', path: `${widgets}/w`, accept: 'application/yaml' },
  { method: 'PATCH', path: `${widgets}/w`, body: { spec: { text: '<!>' } } },
];

const documents = [
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v9',
  '/apis',
  '/apis/',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps/v1',
  '/apis/apps/v1/',
  '/apis/apps/v9',
  '/apis/nope',
  '/apis/nope/v1',
  '/apis/apiregistration.k8s.io',
  '/apis/apiregistration.k8s.io/v1',
  '/apis/apiextensions.k8s.io',
  '/apis/apiextensions.k8s.io/v1',
  '/apis/wire.example.com',
  '/apis/wire.example.com/v1',
  '/openapi/v3/apis/wire.example.com/v9',
  '/openapi',
  '/version',
  '/version/',
  '/healthz',
  '/livez/ping',
  '/readyz/nope',
  '/openid/v1/jwks',
  '/.well-known/openid-configuration',
  '/logs',
  '/swagger.json',
  '/ui',
  '/static/x',
];

const methods: readonly Step[] = documents.flatMap((path) =>
  ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => ({
    method,
    path,
    ...(method === 'OPTIONS' || method === 'HEAD' ? {} : { body: {} }),
  })),
);

const accepts = [
  'text/html',
  'application/xml',
  'application/cbor',
  'application/json;q=0',
  'application/yaml',
  'application/vnd.kubernetes.protobuf;q=0.1, application/yaml',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=APIGroupDiscoveryList;v=v9;g=apidiscovery.k8s.io',
  'application/json;as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io',
  'application/yaml;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'application/json;charset=utf-8',
  'application/json;stream=watch',
  '*/*;q=0',
  'nonsense',
  ';',
];
const mediaTypes: readonly Step[] = [
  '/api/v1',
  '/apis/events.k8s.io',
  '/apis/events.k8s.io/v1',
  '/apis/apiregistration.k8s.io',
  '/apis/wire.example.com',
  '/apis/wire.example.com/v1',
  '/version',
  `${configMaps}/escapes`,
  configMaps,
  `${widgets}/w`,
].flatMap((path) => accepts.map((accept) => ({ method: 'GET', path, accept })));

const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const patchesOf = (path: string, apiVersion: string, kind: string): readonly Step[] =>
  [
    { contentType: merge, body: { apiVersion: null } },
    { contentType: merge, body: { kind: null } },
    { contentType: merge, body: { apiVersion: null, kind: null, metadata: { labels: { nulled: 'a' } } } },
    { contentType: merge, body: { kind: 'Secret' } },
    { contentType: merge, body: { apiVersion: 'apps/v1' } },
    { contentType: merge, body: { apiVersion: 'v9', kind: 'Nope' } },
    { contentType: merge, body: { apiVersion, kind } },
    { contentType: merge, body: { kind: 5 } },
    { contentType: merge, body: { metadata: null } },
    { contentType: merge, body: { metadata: { name: 'other' } } },
    { contentType: merge, body: { metadata: { uid: 'x' } } },
    { contentType: merge, body: null },
    { contentType: merge, body: [] },
    { contentType: merge, body: 'x' },
    { contentType: strategic, body: { apiVersion: null, kind: null } },
    { contentType: strategic, body: { kind: 'Secret' } },
    { contentType: strategic, body: { $patch: 'replace' } },
    { contentType: jsonPatch, body: [{ op: 'remove', path: '/kind' }] },
    { contentType: jsonPatch, body: [{ op: 'replace', path: '/kind', value: 'Secret' }] },
    { contentType: jsonPatch, body: [{ op: 'replace', path: '/apiVersion', value: 'v2' }] },
    { contentType: jsonPatch, body: [{ op: 'remove', path: '/metadata' }] },
    { contentType: jsonPatch, body: [{ op: 'test', path: '/kind', value: 'x' }] },
    { contentType: jsonPatch, body: { op: 'remove' } },
    { contentType: 'text/plain', body: {} },
  ].flatMap((step) => [
    { method: 'PATCH', path, ...step },
    { method: 'PATCH', path: `${path}?fieldValidation=Strict`, ...step },
  ]);

const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container], restartPolicy: 'Never' } };
const selector = { matchLabels: { a: 'b' } };
const lasting = { ...template, spec: { containers: [container] } };

function named(path: string, object: object, lengths: readonly number[]): Step[] {
  return lengths.flatMap((length) => [
    { method: 'POST', path, body: { metadata: { name: long(length) }, ...object } },
    { method: 'POST', path: `${path}?dryRun=All`, body: { metadata: { generateName: long(length) }, spec: null } },
  ]);
}

const names: readonly Step[] = [
  ...named('/api/v1/namespaces/default/services', { spec: { ports: [{ port: 1 }] } }, [63, 64]),
  ...named('/api/v1/namespaces/default/pods', { spec: template.spec }, [63, 64, 253, 254]),
  ...named('/api/v1/namespaces', {}, [63, 64]),
  ...named('/apis/batch/v1/namespaces/default/jobs', { spec: { template } }, [63, 64]),
  ...named(
    '/apis/batch/v1/namespaces/default/cronjobs',
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } },
    [52, 53],
  ),
  ...named('/apis/apps/v1/namespaces/default/deployments', { spec: { selector, template: lasting } }, [63, 64, 254]),
  ...named(
    '/apis/apps/v1/namespaces/default/statefulsets',
    { spec: { selector, serviceName: 's', template: lasting } },
    [57, 58, 63, 64],
  ),
  ...named('/apis/apps/v1/namespaces/default/daemonsets', { spec: { selector, template: lasting } }, [63, 64]),
  ...named('/api/v1/namespaces/default/replicationcontrollers', { spec: { template: lasting } }, [63, 64]),
  ...named(widgets, { apiVersion: 'wire.example.com/v1', kind: 'Widget' }, [63, 64, 253, 254]),
];

const selectors: readonly Step[] = [
  '/api/v1/pods',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/services',
  '/api/v1/secrets',
  '/api/v1/events',
  '/api/v1/replicationcontrollers',
  '/api/v1/persistentvolumes',
  '/apis/apps/v1/replicasets',
  '/apis/apps/v1/deployments',
  '/apis/batch/v1/jobs',
  '/apis/batch/v1/cronjobs',
  '/apis/events.k8s.io/v1/events',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/resource.k8s.io/v1/resourceslices',
  '/apis/wire.example.com/v1/widgets',
].flatMap((path) =>
  [
    'status.phase=None',
    'status.replicas=77',
    'status.successful=77',
    'status.podIP=1.2.3.4',
    'status.podIPs=1.2.3.4',
    'status.nominatedNodeName=x',
    'status.x=y',
    'spec.nodeName=x',
    'spec.unschedulable=true',
    'spec.clusterIP=x',
    'spec.type=x',
    'spec.signerName=x',
    'spec.text=x',
    'type=x',
    'reason=x',
    'regarding.name=x',
    'involvedObject.name=x',
    'reportingComponent=x',
    'metadata.name=x,metadata.namespace=y',
    'metadata.labels=x',
    'metadata.name',
    'metadata.name=x,',
    '=x',
  ].map((field) => ({ method: 'GET', path: `${path}?fieldSelector=${encodeURIComponent(field)}` })),
);

const verbsWithSelectors: readonly Step[] = [
  { method: 'DELETE', path: `${configMaps}?fieldSelector=status.x%3Dy` },
  { method: 'DELETE', path: `${configMaps}?fieldSelector=metadata.name%3Dnobody` },
  { method: 'GET', path: `${configMaps}?watch=1&fieldSelector=status.x%3Dy` },
  { method: 'GET', path: `${configMaps}/escapes?fieldSelector=status.x%3Dy` },
  { method: 'GET', path: `${widgets}?watch=1&fieldSelector=status.phase%3Dy` },
  { method: 'DELETE', path: `${widgets}?fieldSelector=spec.text%3Dnobody` },
];

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const deployment = {
  metadata: { name: 'versions' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

/** What a patch makes another version of is read as that, with its defaults, also where nobody serves it. */
const versions: readonly Step[] = [
  { method: 'POST', path: deployments, body: deployment },
  ...['apps/v1beta2', 'apps/v1beta1', 'extensions/v1beta1', 'batch/v1', 'apps/v9'].flatMap((apiVersion) =>
    [strategic, merge].map((contentType) => ({
      method: 'PATCH',
      path: `${deployments}/versions`,
      contentType,
      body: { apiVersion },
    })),
  ),
  { method: 'DELETE', path: `${deployments}/versions` },
];

const autoscalers = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';

/** Patches that make apiVersion and kind no texts, and one that empties managed fields in a version that is not kept. */
const falsy: readonly Step[] = [
  { method: 'POST', path: configMaps, body: { metadata: { name: 'falsy' } } },
  ...[{ apiVersion: 0 }, { apiVersion: false }, { kind: 0 }, { kind: false }, { apiVersion: '', kind: false }].map(
    (body) => ({ method: 'PATCH', path: `${configMaps}/falsy`, contentType: merge, body }),
  ),
  {
    method: 'POST',
    path: autoscalers,
    body: {
      metadata: { name: 'falsy' },
      spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } },
    },
  },
  ...[strategic, merge].map((contentType) => ({
    method: 'PATCH',
    path: `${autoscalers}/falsy`,
    contentType,
    body: { metadata: { managedFields: [] }, spec: { maxReplicas: 3 } },
  })),
];

/** Amounts of resources by names that are none. */
const amounts: readonly Step[] = ['a/b/c', 'requests.a/b', 'a/b'].map((name) => ({
  method: 'POST',
  path: '/apis/node.k8s.io/v1/runtimeclasses',
  body: { metadata: { name: 'r' }, handler: 'h', overhead: { podFixed: { [name]: '1.5' } } },
}));

/** In this order: later ones need what earlier ones made. */
const webhooks = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const patchOfWebhooks = (webhooksGiven: unknown): Step => ({
  method: 'PATCH',
  path: `${webhooks}/wire`,
  contentType: strategic,
  body: { webhooks: webhooksGiven },
});

/** Lists without entries where there are none: another generation. */
const emptyWebhooks: readonly Step[] = [
  {
    method: 'POST',
    path: webhooks,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'wire' },
    },
  },
  patchOfWebhooks([]),
  { method: 'PATCH', path: `${webhooks}/wire`, contentType: strategic, body: { metadata: { labels: { a: 'b' } } } },
  patchOfWebhooks(null),
  patchOfWebhooks([{ $patch: 'delete', name: 'a.example.com' }]),
  patchOfWebhooks([{ $patch: 'replace' }]),
  { method: 'PATCH', path: `${webhooks}/wire`, body: { webhooks: [] } },
];

export const steps: readonly Step[] = [
  ...escapes,
  ...methods,
  ...mediaTypes,
  ...patchesOf(`${configMaps}/escapes`, 'v1', 'ConfigMap'),
  ...patchesOf(`${widgets}/w`, 'wire.example.com/v1', 'Widget'),
  ...names,
  ...selectors,
  ...verbsWithSelectors,
  ...versions,
  ...falsy,
  ...amounts,
  ...emptyWebhooks,
  ...tailSteps,
  ...statusCreates,
];
