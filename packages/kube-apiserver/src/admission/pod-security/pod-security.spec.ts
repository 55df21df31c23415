import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes, NamespaceLister } from '@kubechain/apiserver/resources';
import { creationOf } from '@kubechain/apiserver/testing';
import { expect } from 'chai';
import type { ObjectLookup } from '../object-lookup.ts';
import { readPodSecurityConfiguration } from './configuration.ts';
import { PodSecurity } from './pod-security.ts';

type Labels = Readonly<Record<string, string>>;
interface Outcome {
  readonly error?: string;
  readonly warnings?: readonly string[];
  readonly annotations?: Labels;
}
interface Row extends Outcome {
  readonly name: string;
  readonly labels?: Labels;
  /** Fields of a PodSecurityConfiguration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly request: Partial<AdmissionAttributes>;
}

const prefixed = (labels: Labels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));
const on = (resource: string, kind: string, group = ''): Partial<AdmissionAttributes> => ({
  resource: { group, version: 'v1', resource },
  kind: { group, version: 'v1', kind },
});
const pod = (fields: object = {}): KubeObject => ({
  metadata: { name: 'x' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...fields },
});
const bad = pod({ hostPID: true });
const pods = on('pods', 'Pod');
const namespaces = on('namespaces', 'Namespace');
const labelled = (labels: Labels): KubeObject => ({ metadata: { name: 'ns', labels: prefixed(labels) } });
const relabel = (
  before: Labels,
  after: Labels,
  more: Partial<AdmissionAttributes> = {},
): Partial<AdmissionAttributes> => ({
  ...namespaces,
  name: 'ns',
  operation: 'UPDATE',
  oldObject: labelled(before),
  object: labelled(after),
  ...more,
});
const refused = 'pods "x" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)';
const would = 'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)';
const wrongLevel =
  'Namespace "ns" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must ' +
  'be one of privileged, baseline, restricted';
const existing = [
  'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
  'x: host namespaces',
];
const update = (object: KubeObject, oldObject: KubeObject, subresource = ''): Partial<AdmissionAttributes> => ({
  ...pods,
  operation: 'UPDATE',
  subresource,
  object,
  oldObject,
});
const image = pod({ hostPID: true, containers: [{ name: 'c', image: 'other' }] });
const debugged = pod({ hostPID: true, ephemeralContainers: [{ name: 'e', image: 'i' }] });
const template = { template: { spec: bad['spec'] } };

const rows: readonly Row[] = [
  {
    name: 'what is enforced where labels say nothing',
    configuration: { defaults: { enforce: 'baseline' } },
    request: { ...pods, object: bad },
    error: refused,
    annotations: { 'enforce-policy': 'baseline:latest' },
  },
  {
    name: 'an exempt namespace',
    labels: { enforce: 'baseline' },
    configuration: { exemptions: { namespaces: ['ns'] } },
    request: { ...pods, object: bad },
    annotations: { exempt: 'namespace' },
  },
  {
    name: 'an exempt user',
    labels: { enforce: 'baseline' },
    configuration: { exemptions: { usernames: ['u'] } },
    request: { ...pods, object: bad },
    annotations: { exempt: 'user' },
  },
  {
    name: 'an exempt runtime class',
    labels: { enforce: 'baseline' },
    configuration: { exemptions: { runtimeClasses: ['vm'] } },
    request: { ...pods, object: pod({ hostPID: true, runtimeClassName: 'vm' }) },
    annotations: { exempt: 'runtimeClass' },
  },
  {
    name: 'an exempt namespace that asks for something',
    configuration: { exemptions: { namespaces: ['ns'] } },
    request: relabel({}, { enforce: 'baseline' }, { namespace: 'ns' }),
    warnings: ['namespace "ns" is exempt from Pod Security, and the policy (enforce=baseline:latest) will be ignored'],
  },
  {
    name: 'a pod of a namespace without labels',
    request: { ...pods, object: bad },
    annotations: { 'enforce-policy': 'privileged:latest' },
  },
  {
    name: 'a pod that violates what is enforced',
    labels: { enforce: 'baseline' },
    request: { ...pods, object: bad },
    error: refused,
    annotations: { 'enforce-policy': 'baseline:latest' },
  },
  {
    name: 'a pod that is fine',
    labels: { enforce: 'baseline' },
    request: { ...pods, object: pod() },
    annotations: { 'enforce-policy': 'baseline:latest' },
  },
  {
    name: 'a pod that is warned of and audited',
    labels: { warn: 'baseline', audit: 'baseline' },
    request: { ...pods, object: bad },
    warnings: [would],
    annotations: { 'enforce-policy': 'privileged:latest', 'audit-violations': would },
  },
  {
    name: 'no warnings of what is refused',
    labels: { enforce: 'baseline', audit: 'baseline', warn: 'baseline' },
    request: { ...pods, object: bad },
    error: refused,
    annotations: { 'enforce-policy': 'baseline:latest', 'audit-violations': would },
  },
  {
    name: 'labels that cannot be read',
    labels: { enforce: 'x' },
    request: { ...pods, object: { ...bad, spec: { containers: [], hostPID: true } } },
    error: 'pods "x" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostPID=true)',
    annotations: {
      'enforce-policy': 'restricted:latest',
      error:
        'Failed to parse policy: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": ' +
        'must be one of privileged, baseline, restricted',
    },
  },
  { name: 'an update that leaves images alone', labels: { enforce: 'baseline' }, request: update(bad, bad) },
  {
    name: 'an update of an image',
    labels: { enforce: 'baseline' },
    request: update(image, bad),
    error: refused,
    annotations: { 'enforce-policy': 'baseline:latest' },
  },
  {
    name: 'a new ephemeral container',
    labels: { enforce: 'baseline' },
    request: update(debugged, bad, 'ephemeralcontainers'),
    error: refused,
    annotations: { 'enforce-policy': 'baseline:latest' },
  },
  {
    name: 'known ephemeral containers',
    labels: { enforce: 'baseline' },
    request: update(debugged, debugged, 'ephemeralcontainers'),
  },
  { name: 'a resize', labels: { enforce: 'baseline' }, request: update(bad, bad, 'resize') },
  { name: 'a status', labels: { enforce: 'baseline' }, request: update(image, bad, 'status') },
  { name: 'an eviction', labels: { enforce: 'baseline' }, request: { ...pods, subresource: 'eviction', object: {} } },
  {
    name: 'a pod of an unknown namespace',
    request: { ...pods, namespace: 'no', object: pod() },
    error: 'Internal error occurred: failed to lookup namespace "no"',
    annotations: { error: 'Internal error occurred: failed to lookup namespace "no": namespaces "no" not found' },
  },
  ...(
    [
      ['deployments', 'apps', { spec: template }],
      ['replicasets', 'apps', { spec: template }],
      ['daemonsets', 'apps', { spec: template }],
      ['statefulsets', 'apps', { spec: template }],
      ['jobs', 'batch', { spec: template }],
      ['cronjobs', 'batch', { spec: { jobTemplate: { spec: template } } }],
      ['replicationcontrollers', '', { spec: template }],
      ['podtemplates', '', template],
    ] as const
  ).map(([resource, group, object]): Row => ({
    name: `${resource}: warned of and audited, never refused`,
    labels: { enforce: 'baseline', audit: 'baseline' },
    request: { ...on(resource, 'X', group), object },
    warnings: [would],
    annotations: { 'audit-violations': would },
  })),
  {
    name: 'a controller without template',
    labels: { warn: 'baseline' },
    request: { ...on('replicationcontrollers', 'ReplicationController'), object: { spec: {} } },
  },
  {
    name: 'a scale',
    labels: { warn: 'baseline' },
    request: { ...on('deployments', 'Scale', 'apps'), subresource: 'scale', object: { spec: template } },
  },
  {
    name: 'a controller of an unknown namespace',
    request: { ...on('deployments', 'Deployment', 'apps'), namespace: 'no', object: { spec: template } },
    annotations: { error: 'failed to lookup namespace "no": namespaces "no" not found' },
  },
  {
    name: 'something else',
    labels: { warn: 'restricted' },
    request: { ...on('deployments', 'Deployment', 'example.com'), object: { spec: template } },
  },
  { name: 'a new namespace', request: { ...namespaces, name: 'ns', object: labelled({ enforce: 'baseline' }) } },
  {
    name: 'a new namespace with a wrong label',
    request: { ...namespaces, name: 'ns', object: labelled({ enforce: 'x' }) },
    error: wrongLevel,
  },
  { name: 'a label that becomes wrong', request: relabel({}, { enforce: 'x' }), error: wrongLevel },
  { name: 'a label that was wrong before', request: relabel({ enforce: 'x' }, { enforce: 'x', other: 'y' }) },
  { name: 'a status of a namespace', request: relabel({}, { enforce: 'x' }, { subresource: 'status' }) },
  { name: 'a stricter level', request: relabel({}, { enforce: 'baseline' }), warnings: existing },
  { name: 'the same level', request: relabel({ enforce: 'baseline' }, { enforce: 'baseline', warn: 'restricted' }) },
  { name: 'a looser level', request: relabel({ enforce: 'restricted' }, { enforce: 'baseline' }) },
  {
    name: 'a looser level of another version',
    request: relabel({ enforce: 'restricted', 'enforce-version': 'v1.0' }, { enforce: 'baseline' }),
    warnings: existing,
  },
  { name: 'no level any more', request: relabel({ enforce: 'baseline' }, { 'enforce-version': 'v1.0' }) },
];

describe('PodSecurity', () => {
  for (const { annotations = {}, configuration, error, labels = {}, name, request, warnings = [] } of rows) {
    it(name, async () => {
      const seen = {
        warnings: [] as string[],
        annotations: {} as Record<string, string>,
        error: undefined as string | undefined,
      };
      const known: KubeObject = labelled(labels);
      const lister: NamespaceLister = {
        get: (namespace) => (namespace === 'ns' ? known : undefined),
        getLive: () => Promise.resolve(undefined),
      };
      const lookup: ObjectLookup = {
        get: () => Promise.resolve(undefined),
        list: () => Promise.resolve([bad, { metadata: { name: 'y' }, spec: { containers: [] } }]),
      };
      const plugin = new PodSecurity({
        namespaces: lister,
        pods: lookup,
        clock: { now: () => 0 },
        ...(configuration === undefined ? {} : { configuration: readPodSecurityConfiguration(configuration) }),
      });
      const attributes = creationOf({
        kind: { group: '', version: 'v1', kind: '' },
        resource: { group: '', version: 'v1', resource: '' },
        object: undefined,
        addWarning: (text) => {
          seen.warnings.push(text);
        },
        addAuditAnnotation: (key, value) => {
          seen.annotations[key] = value;
        },
        ...request,
      });
      expect(plugin.handles(attributes.operation)).to.equal(true);
      try {
        await plugin.validate(attributes);
      } catch (failure) {
        seen.error = (failure as Error).message;
      }
      expect(seen).to.deep.equal({ warnings, annotations: prefixed(annotations), error });
    });
  }

  it('says so when pods cannot be listed', async () => {
    const told: string[] = [];
    const lookup: ObjectLookup = { get: () => Promise.resolve(undefined), list: () => Promise.reject(new Error('no')) };
    const plugin = new PodSecurity({
      namespaces: { get: () => undefined, getLive: () => Promise.resolve(undefined) },
      pods: lookup,
      clock: { now: () => 0 },
    });
    await plugin.validate({
      ...relabel({}, { enforce: 'baseline' }),
      subresource: '',
      addWarning: (text: string) => {
        told.push(text);
      },
    } as AdmissionAttributes);
    expect(told).to.deep.equal(['failed to list pods while checking new PodSecurity enforce level']);
  });
});
