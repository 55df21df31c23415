import type { Step } from '../wire-details/steps.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

/** What both servers are started with. */
export const runtimeConfig = [
  'admissionregistration.k8s.io/v1alpha1=true',
  'admissionregistration.k8s.io/v1beta1=true',
  'coordination.k8s.io/v1alpha2=true',
  'coordination.k8s.io/v1beta1=true',
  'networking.k8s.io/v1beta1=true',
  'resource.k8s.io/v1beta2/deviceclasses=true',
  'resource.k8s.io/v1beta2/resourceclaims=true',
  'resource.k8s.io/v1beta2/resourceclaimtemplates=true',
  'resource.k8s.io/v1beta2/resourceslices=true',
  'storage.k8s.io/v1beta1=true',
].join(',');

const admission = '/apis/admissionregistration.k8s.io';
const networking = '/apis/networking.k8s.io';
const devices = '/apis/resource.k8s.io';
const storage = '/apis/storage.k8s.io';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** An object created in one version, and refused when it is wrong, read in another, changed, printed and deleted. */
function life(
  path: (version: string) => string,
  [version, other]: readonly [string, string],
  { good, wrong }: { readonly good: Manifest; readonly wrong: Manifest },
): readonly Step[] {
  const { name } = good.metadata;
  const label = { metadata: { labels: { changed: 'yes' } } };
  return [
    { method: 'POST', path: path(version), body: wrong },
    { method: 'POST', path: path(version), body: good },
    { method: 'GET', path: `${path(version)}/${name}` },
    { method: 'GET', path: `${path(other)}/${name}` },
    { method: 'GET', path: `${path(version)}?limit=5` },
    { method: 'GET', path: `${path(version)}/${name}`, accept: table },
    { method: 'GET', path: `${path(version)}/${name}`, accept: 'application/yaml' },
    { method: 'PATCH', path: `${path(version)}/${name}`, body: label },
    {
      method: 'PATCH',
      path: `${path(version)}/${name}`,
      body: { metadata: { labels: { strategic: 'yes' } } },
      contentType: 'application/strategic-merge-patch+json',
    },
    { method: 'GET', path: `${path(version)}?fieldSelector=metadata.name%3D${name}` },
    { method: 'DELETE', path: `${path(version)}/${name}` },
    { method: 'GET', path: `${path(version)}/${name}` },
  ];
}

function policyLife(version: string, other: string): readonly Step[] {
  const apiVersion = `admissionregistration.k8s.io/${version}`;
  const at = (plural: string) => (served: string) => `${admission}/${served}/${plural}`;
  const policy = (spec: object): Manifest => ({
    apiVersion,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: `policy-${version}` },
    spec,
  });
  const binding = (spec: object): Manifest => ({
    apiVersion,
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: `binding-${version}` },
    spec,
  });
  return [
    ...life(at('mutatingadmissionpolicies'), [version, other], {
      good: policy({
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
          },
        ],
      }),
      wrong: policy({ failurePolicy: 'Sometimes' }),
    }),
    ...life(at('mutatingadmissionpolicybindings'), [version, other], {
      good: binding({ policyName: 'nothing', paramRef: { name: 'p', parameterNotFoundAction: 'Allow' } }),
      wrong: binding({ policyName: 'nothing', paramRef: { name: 'p' } }),
    }),
  ];
}

const candidates = (version: string): string =>
  `/apis/coordination.k8s.io/${version}/namespaces/default/leasecandidates`;

function candidate(version: string, name: string, spec: object): Manifest {
  return { apiVersion: `coordination.k8s.io/${version}`, kind: 'LeaseCandidate', metadata: { name }, spec };
}

const candidacy = {
  leaseName: 'lease',
  binaryVersion: '1.36.0',
  emulationVersion: '1.35.0',
  strategy: 'OldestEmulationVersion',
};

/** What validation says of single members. */
const candidateSteps: readonly Step[] = [
  ...[
    { leaseName: '' },
    { binaryVersion: '' },
    { strategy: '' },
    { binaryVersion: '1.34.0' },
    { binaryVersion: '1.36' },
    { emulationVersion: '01.2.3' },
    { emulationVersion: '' },
    { strategy: 'Newest' },
    { strategy: 'example.com/own/two' },
    { strategy: 'example.com/own', emulationVersion: '' },
    { binaryVersion: '1.36.0-alpha.9', emulationVersion: '1.36.0-alpha.10+build' },
    { pingTime: 'now' },
  ].map((change, i) => ({
    method: 'POST',
    path: candidates('v1beta1'),
    body: candidate('v1beta1', `c-${String(i)}`, { ...candidacy, ...change }),
  })),
  { method: 'PUT', path: `${candidates('v1beta1')}/put`, body: candidate('v1beta1', 'put', candidacy) },
  {
    method: 'PATCH',
    path: `${candidates('v1beta1')}/put`,
    body: { spec: { leaseName: 'other' } },
  },
  { method: 'POST', path: candidates('v1beta1'), body: candidate('v1beta1', 'No/Name', candidacy) },
  { method: 'GET', path: `${candidates('v1beta1')}?fieldSelector=spec.leaseName%3Dlease`, accept: table },
];

const claimSpec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'class' } }] } };
const claims = (version: string): string => `${devices}/${version}/namespaces/default/resourceclaims`;

/** In order, against one server. */
export const steps: readonly Step[] = [
  ...[
    'admissionregistration.k8s.io',
    'coordination.k8s.io',
    'networking.k8s.io',
    'resource.k8s.io',
    'storage.k8s.io',
  ].map((group) => ({
    method: 'GET',
    path: `/apis/${group}`,
  })),
  ...[
    'admissionregistration.k8s.io/v1alpha1',
    'admissionregistration.k8s.io/v1beta1',
    'coordination.k8s.io/v1alpha2',
    'coordination.k8s.io/v1beta1',
    'networking.k8s.io/v1beta1',
    'resource.k8s.io/v1beta2',
    'storage.k8s.io/v1beta1',
    'resource.k8s.io/v1beta1',
    'certificates.k8s.io/v1beta1',
  ].map((groupVersion) => ({ method: 'GET', path: `/apis/${groupVersion}` })),
  ...life((version) => `${networking}/${version}/ipaddresses`, ['v1beta1', 'v1'], {
    good: {
      apiVersion: 'networking.k8s.io/v1beta1',
      kind: 'IPAddress',
      metadata: { name: '192.0.2.7' },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'some' } },
    },
    wrong: { apiVersion: 'networking.k8s.io/v1beta1', kind: 'IPAddress', metadata: { name: 'x' }, spec: {} },
  }),
  ...life((version) => `${storage}/${version}/volumeattributesclasses`, ['v1beta1', 'v1'], {
    good: {
      apiVersion: 'storage.k8s.io/v1beta1',
      kind: 'VolumeAttributesClass',
      metadata: { name: 'class' },
      driverName: 'd.example.com',
      parameters: { a: 'b' },
    },
    wrong: { apiVersion: 'storage.k8s.io/v1beta1', kind: 'VolumeAttributesClass', metadata: { name: 'x' } },
  }),
  ...policyLife('v1beta1', 'v1'),
  ...policyLife('v1alpha1', 'v1beta1'),
  {
    method: 'POST',
    path: `${admission}/v1alpha1/mutatingadmissionpolicybindings`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1alpha1',
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: 'defaulted' },
      spec: { policyName: 'nothing', paramRef: { name: 'p' }, matchResources: {} },
    },
  },
  ...[['v1beta1', 'v1alpha2'] as const, ['v1alpha2', 'v1beta1'] as const].flatMap(([version, other]) =>
    life(candidates, [version, other], {
      good: candidate(version, `of-${version}`, candidacy),
      wrong: candidate(version, 'x', {}),
    }),
  ),
  ...candidateSteps,
  ...life((version) => `${devices}/${version}/deviceclasses`, ['v1beta2', 'v1'], {
    good: {
      apiVersion: 'resource.k8s.io/v1beta2',
      kind: 'DeviceClass',
      metadata: { name: 'class' },
      spec: { selectors: [{ cel: { expression: 'device.driver == "d"' } }] },
    },
    wrong: {
      apiVersion: 'resource.k8s.io/v1beta2',
      kind: 'DeviceClass',
      metadata: { name: 'x' },
      spec: { selectors: [{ cel: { expression: 'device.' } }] },
    },
  }),
  ...life(claims, ['v1beta2', 'v1'], {
    good: {
      apiVersion: 'resource.k8s.io/v1beta2',
      kind: 'ResourceClaim',
      metadata: { name: 'claim' },
      spec: claimSpec,
    },
    wrong: {
      apiVersion: 'resource.k8s.io/v1beta2',
      kind: 'ResourceClaim',
      metadata: { name: 'x' },
      spec: { devices: { requests: [{ name: 'r' }] } },
    },
  }),
  ...life((version) => `${devices}/${version}/namespaces/default/resourceclaimtemplates`, ['v1beta2', 'v1'], {
    good: {
      apiVersion: 'resource.k8s.io/v1beta2',
      kind: 'ResourceClaimTemplate',
      metadata: { name: 'template' },
      spec: { spec: claimSpec },
    },
    wrong: { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 'x' } },
  }),
  ...life((version) => `${devices}/${version}/resourceslices`, ['v1beta2', 'v1'], {
    good: {
      apiVersion: 'resource.k8s.io/v1beta2',
      kind: 'ResourceSlice',
      metadata: { name: 'slice' },
      spec: {
        driver: 'd.example.com',
        nodeName: 'n',
        pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'one', attributes: { size: { int: 1 } }, capacity: { memory: { value: '1Gi' } } }],
      },
    },
    wrong: { apiVersion: 'resource.k8s.io/v1beta2', kind: 'ResourceSlice', metadata: { name: 'x' }, spec: {} },
  }),
];
