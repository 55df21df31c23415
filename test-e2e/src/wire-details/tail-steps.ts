import type { Step } from './step.ts';

const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';
const gadgets = '/apis/gadgets.example.com/v1/namespaces/default/gadgets';
const olderGadgets = gadgets.replace('/v1/', '/v1beta1/');
const pod = '/api/v1/namespaces/default/pods/tail';

const version = (name: string, properties: object, more: object): object => ({
  name,
  served: true,
  storage: false,
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'self.spec.replicas < 10' }],
      properties: {
        spec: { type: 'object', properties: { replicas: { type: 'integer', default: 1 }, ...properties } },
        status: { type: 'object', properties: { replicas: { type: 'integer' } } },
      },
    },
  },
  ...more,
});

/** A definition whose older version is deprecated and has a field more. */
export const gadgetDefinition: Step = {
  method: 'POST',
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    metadata: { name: 'gadgets.gadgets.example.com' },
    spec: {
      group: 'gadgets.example.com',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
      scope: 'Namespaced',
      versions: [
        version('v1', {}, { storage: true }),
        version('v1beta1', { old: { type: 'string' } }, { deprecated: true, deprecationWarning: 'old gadgets' }),
      ],
    },
  },
};

const gadget = (metadata: object, more: object = {}): object => ({
  apiVersion: 'gadgets.example.com/v1',
  kind: 'Gadget',
  metadata,
  spec: { replicas: 1 },
  ...more,
});

const applied = (path: string, body: object): Step => ({
  method: 'PATCH',
  path: `${path}?fieldManager=tail&force=true`,
  contentType: apply,
  body,
});

/** What is applied to custom objects, and what their status, scale and dry runs make of it. */
const gadgetSteps: readonly Step[] = [
  { method: 'POST', path: gadgets, body: gadget({ name: 'g' }) },
  ...[
    { labels: null },
    { annotations: { a: null } },
    { ownerReferences: [] },
    { ownerReferences: null },
    { finalizers: [] },
    { deletionTimestamp: 'x' },
    { resourceVersion: null },
  ].map((metadata) => applied(`${gadgets}/g`, gadget({ name: 'g', ...metadata }))),
  ...[{ labels: { 'a b': 'c' } }, { ownerReferences: [{}] }, { uid: 'x' }, { deletionGracePeriodSeconds: 5 }].flatMap(
    (metadata) => [
      applied(`${gadgets}/g/status`, gadget({ name: 'g', ...metadata }, { status: { replicas: 2 } })),
      {
        method: 'PATCH',
        path: `${gadgets}/g/status`,
        contentType: merge,
        body: { metadata, status: { replicas: 3 } },
      },
    ],
  ),
  { method: 'PATCH', path: `${gadgets}/g`, contentType: merge, body: { metadata: { managedFields: [] } } },
  { method: 'PATCH', path: `${gadgets}/g`, contentType: merge, body: { metadata: { managedFields: [{}] } } },
  { method: 'POST', path: gadgets, body: gadget({ name: '' }) },
  { method: 'POST', path: gadgets, body: { ...gadget({ name: 'h', labels: 1 }), apiVersion: '0', kind: 'Other' } },
  { method: 'POST', path: gadgets, body: { ...gadget({ name: 'h', labels: 1 }), apiVersion: '' } },
  ...['Strict', 'Ignore'].map((validation) => ({
    method: 'POST',
    path: `${gadgets}?fieldValidation=${validation}`,
    body: { apiVersion: 'gadgets.example.com/v1', metadata: { name: 'h' } },
  })),
  {
    method: 'POST',
    path: `${olderGadgets}?dryRun=All`,
    body: gadget({ name: 'h' }, { apiVersion: 'gadgets.example.com/v1beta1', spec: { old: 'x' } }),
  },
  { method: 'PATCH', path: `${olderGadgets}/g`, contentType: 'application/json', body: {} },
  { method: 'DELETE', path: `${gadgets}/g` },
  { method: 'POST', path: gadgets, body: gadget({ name: 's' }) },
  ...[{ spec: {} }, {}, { spec: { replicas: 1 } }, { spec: { replicas: 2 } }].map((body) =>
    applied(`${gadgets}/s/scale`, { apiVersion: 'autoscaling/v1', kind: 'Scale', ...body }),
  ),
  { method: 'DELETE', path: `${gadgets}/s` },
];

const resources = { requests: { cpu: '1' }, limits: { cpu: '1' } };

/** Other fields than its own at an endpoint of a pod. */
const podSteps: readonly Step[] = [
  {
    method: 'POST',
    path: '/api/v1/namespaces/default/pods',
    body: {
      metadata: { name: 'tail' },
      spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', resources }] },
    },
  },
  applied(`${pod}/resize`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'tail' },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '500m' }, limits: { cpu: '1' } } }] },
  }),
  {
    method: 'PATCH',
    path: `${pod}/resize`,
    contentType: 'application/json-patch+json',
    body: [{ op: 'remove', path: '/spec/containers/0/resources' }],
  },
  {
    method: 'PATCH',
    path: `${pod}/ephemeralcontainers`,
    contentType: merge,
    body: { spec: { containers: [{ name: 'c', image: 'other' }], ephemeralContainers: [{ name: 'e', image: 'i' }] } },
  },
  { method: 'GET', path: pod },
  { method: 'DELETE', path: `${pod}?gracePeriodSeconds=0` },
];

/** What comparing changed objects with the reference has found. */
export const tailSteps: readonly Step[] = [...gadgetSteps, ...podSteps];
