import type { Step } from '../wire-details/step.ts';

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
  'internal.apiserver.k8s.io/v1alpha1=true',
  'networking.k8s.io/v1beta1=true',
  'resource.k8s.io/v1alpha3=true',
  'resource.k8s.io/v1beta1=true',
  'resource.k8s.io/v1beta2=true',
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

const at = '2026-01-02T03:04:05Z';

function taintSteps(version: string, other: string): readonly Step[] {
  const path = (of: string): string => `${devices}/${of}/devicetaintrules`;
  const rule = (name: string, spec: unknown): Manifest => ({
    apiVersion: `resource.k8s.io/${version}`,
    kind: 'DeviceTaintRule',
    metadata: { name },
    spec,
  });
  const taint = { key: 'example.com/broken', value: 'yes', effect: 'NoSchedule', timeAdded: at };
  const name = `of-${version}`;
  const one = `${path(version)}/${name}`;
  const condition = {
    type: 'EvictionInProgress',
    status: 'True',
    reason: 'Some',
    message: 'm',
    lastTransitionTime: at,
  };
  return [
    ...life(path, [version, other], {
      good: rule(`short-${version}`, {
        deviceSelector: { driver: 'd.example.com', pool: 'a/b', device: 'one' },
        taint,
      }),
      wrong: rule('x', {
        deviceSelector: { driver: 'A_b', pool: '', device: 'B' },
        taint: { key: '', value: '-', effect: 'Never', timeAdded: at },
      }),
    }),
    { method: 'POST', path: path(version), body: rule('Name', {}) },
    { method: 'POST', path: path(version), body: { ...rule(name, { taint }), status: { conditions: [condition] } } },
    { method: 'PATCH', path: one, body: { spec: { taint: { value: 'no' } } } },
    {
      method: 'PATCH',
      path: one,
      body: { spec: { taint: { effect: 'NoExecute', timeAdded: '2026-01-02T03:04:06Z' } } },
    },
    { method: 'PATCH', path: one, body: { spec: { taint: { effect: '' } } } },
    { method: 'PATCH', path: one, body: { spec: { deviceSelector: { device: 'A' } } } },
    { method: 'PATCH', path: `${one}/status`, body: { spec: { taint: null }, status: { conditions: [condition] } } },
    { method: 'PATCH', path: `${one}/status`, body: { status: { conditions: [condition, { type: '/' }] } } },
    {
      method: 'PATCH',
      path: `${one}/status`,
      body: {
        status: { conditions: Array.from({ length: 9 }, (_, index) => ({ ...condition, type: `T${index}` })) },
      },
    },
    { method: 'GET', path: `${one}/status` },
    { method: 'DELETE', path: path(version) },
  ];
}

const older = 'resource.k8s.io/v1beta1';
const olderClaim = (name: string, requests: readonly object[]): Manifest => ({
  apiVersion: older,
  kind: 'ResourceClaim',
  metadata: { name },
  spec: { devices: { requests } },
});
const apply = 'application/apply-patch+yaml';
const olderRequests = [
  { name: 'one', deviceClassName: 'c', selectors: [{ cel: { expression: 'device.driver == "d"' } }] },
  { name: 'all', deviceClassName: 'c', allocationMode: 'All', tolerations: [{ operator: 'Exists' }] },
  {
    name: 'some',
    firstAvailable: [
      { name: 'a', deviceClassName: 'c' },
      { name: 'b', deviceClassName: 'c', count: 2 },
    ],
  },
];
const olderSlice = (name: string, devices: readonly object[]): Manifest => ({
  apiVersion: older,
  kind: 'ResourceSlice',
  metadata: { name },
  spec: {
    driver: 'd.example.com',
    nodeName: 'n',
    pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
    devices,
  },
});
const olderDeviceSteps: readonly Step[] = [
  ...life((version) => `${devices}/${version}/deviceclasses`, ['v1beta1', 'v1beta2'], {
    good: { apiVersion: older, kind: 'DeviceClass', metadata: { name: 'older' }, spec: {} },
    wrong: { apiVersion: older, kind: 'DeviceClass', metadata: { name: 'X' }, spec: {} },
  }),
  ...['v1', 'v1beta2'].flatMap((other) =>
    life(claims, ['v1beta1', other], {
      good: olderClaim(`older-${other.length}`, olderRequests),
      wrong: olderClaim('x', [
        { name: 'none' },
        { name: 'both', deviceClassName: 'c', firstAvailable: [{ name: 'a', deviceClassName: 'c' }] },
        { name: 'mode', deviceClassName: 'c', allocationMode: 'Some' },
        { name: 'count', count: 2 },
      ]),
    }),
  ),
  { method: 'POST', path: claims('v1beta1'), body: olderClaim('kept', olderRequests) },
  {
    method: 'PATCH',
    path: `${claims('v1beta1')}/kept?fieldManager=a`,
    contentType: apply,
    body: { apiVersion: older, kind: 'ResourceClaim', metadata: { name: 'kept', labels: { applied: 'yes' } } },
  },
  { method: 'PATCH', path: `${claims('v1beta1')}/kept`, body: { spec: null } },
  {
    method: 'PUT',
    path: `${claims('v1beta1')}/kept`,
    body: olderClaim('kept', [{ name: 'one', deviceClassName: 'd' }]),
  },
  { method: 'GET', path: `${claims('v1')}/kept` },
  { method: 'DELETE', path: `${claims('v1beta1')}/kept` },
  {
    method: 'PATCH',
    path: `${claims('v1beta1')}/made?fieldManager=a`,
    contentType: apply,
    body: olderClaim('made', olderRequests.slice(0, 1)),
  },
  {
    method: 'PATCH',
    path: `${claims('v1beta1')}/made?fieldManager=b&force=true`,
    contentType: apply,
    body: olderClaim('made', olderRequests.slice(0, 1)),
  },
  { method: 'DELETE', path: `${claims('v1beta1')}/made` },
  ...life((version) => `${devices}/${version}/namespaces/default/resourceclaimtemplates`, ['v1beta1', 'v1'], {
    good: {
      apiVersion: older,
      kind: 'ResourceClaimTemplate',
      metadata: { name: 'older' },
      spec: { spec: { devices: { requests: olderRequests } } },
    },
    wrong: { apiVersion: older, kind: 'ResourceClaimTemplate', metadata: { name: 'x' } },
  }),
  ...life((version) => `${devices}/${version}/resourceslices`, ['v1beta1', 'v1'], {
    good: olderSlice('older', [
      {
        name: 'one',
        basic: {
          attributes: { size: { int: 1 } },
          capacity: { memory: { value: '1Gi' } },
          taints: [{ key: 'a', effect: 'NoSchedule', timeAdded: at }],
        },
      },
      { name: 'two' },
    ]),
    wrong: olderSlice('x', [{ name: 'A', basic: { attributes: { '-': {} } } }]),
  }),
  { method: 'GET', path: `${devices}/v1beta1/resourceslices?fieldSelector=spec.driver%3Dd` },
  { method: 'GET', path: `${devices}/v1beta1/resourceslices?fieldSelector=spec.pool%3Dd` },
];

const poolQuestions = `${devices}/v1alpha3/resourcepoolstatusrequests`;
const poolQuestion = (name: string, spec: object): Manifest => ({
  apiVersion: 'resource.k8s.io/v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  metadata: { name },
  spec,
});
const poolAnswer = (name: string, status: object): Step => ({
  method: 'PATCH',
  path: `${poolQuestions}/${name}/status`,
  body: { status },
});
const complete = { type: 'Complete', status: 'True', reason: 'Done', message: '', lastTransitionTime: at };
const onePool = {
  driver: 'd.example.com',
  poolName: 'a/b',
  generation: 1,
  resourceSliceCount: 1,
  totalDevices: 4,
  allocatedDevices: 1,
  availableDevices: 2,
  unavailableDevices: 1,
};
const poolQuestionSteps: readonly Step[] = [
  ...life(() => poolQuestions, ['v1alpha3', 'v1alpha3'], {
    good: poolQuestion('plain', { driver: 'D.example.com', poolName: 'a/b', limit: 5 }),
    wrong: poolQuestion('x', { driver: 'A_b', poolName: 'B//c', limit: 1001 }),
  }),
  { method: 'POST', path: poolQuestions, body: poolQuestion('x', { limit: 0 }) },
  ...['one', 'two', 'three'].map((name) => ({
    method: 'POST',
    path: poolQuestions,
    body: { ...poolQuestion(name, { driver: 'd.example.com' }), status: { poolCount: 1 } },
  })),
  { method: 'PATCH', path: `${poolQuestions}/one`, body: { spec: { limit: 7 } } },
  poolAnswer('one', { pools: [] }),
  poolAnswer('one', {
    poolCount: -1,
    pools: [
      { driver: '', poolName: '', generation: -1, resourceSliceCount: 0, totalDevices: -1, nodeName: 'A' },
      { ...onePool, driver: 'a b', poolName: '-', validationError: 'x'.repeat(257) },
    ],
    conditions: [complete, { ...complete, reason: '' }],
  }),
  poolAnswer('one', {
    poolCount: 1,
    conditions: Array.from({ length: 11 }, (_, index) => ({ ...complete, type: `T${index}` })),
  }),
  poolAnswer('one', {
    poolCount: 3,
    pools: [onePool, { ...onePool, poolName: 'c', validationError: 'x' }],
    conditions: [complete],
  }),
  poolAnswer('one', { poolCount: 2 }),
  poolAnswer('two', { poolCount: 0, conditions: [{ ...complete, type: 'Failed' }] }),
  { method: 'GET', path: poolQuestions, accept: table },
  {
    method: 'PUT',
    path: `${poolQuestions}/three`,
    body: poolQuestion('three', { driver: 'd.example.com', limit: 100 }),
  },
  { method: 'DELETE', path: poolQuestions },
];

const storageVersions = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const storageVersion = (name: string): Manifest => ({
  apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
  kind: 'StorageVersion',
  metadata: { name },
  spec: {},
});
const ofServer = (apiServerID: string, encodingVersion: string, decodable = [encodingVersion]): object => ({
  apiServerID,
  encodingVersion,
  decodableVersions: decodable,
  servedVersions: decodable,
});
const storageStatus = (status: object): Step => ({
  method: 'PATCH',
  path: `${storageVersions}/apps.deployments/status`,
  body: { status },
});
const storageVersionSteps: readonly Step[] = [
  ...life(() => storageVersions, ['v1alpha1', 'v1alpha1'], {
    good: storageVersion('batch.jobs'),
    wrong: storageVersion('pods'),
  }),
  { method: 'POST', path: storageVersions, body: storageVersion('A.9') },
  {
    method: 'POST',
    path: storageVersions,
    body: { ...storageVersion('apps.deployments'), status: { commonEncodingVersion: 'apps/v1' } },
  },
  storageStatus({ storageVersions: [ofServer('a', 'apps/v1')], commonEncodingVersion: 'apps/v1' }),
  storageStatus({
    storageVersions: [ofServer('a', 'apps/v1'), ofServer('b', 'apps/v2', ['apps/v1', 'apps/v2'])],
    commonEncodingVersion: null,
    conditions: [{ type: 'AllEncodingVersionsEqual', status: 'False', reason: 'Different', message: 'm' }],
  }),
  { method: 'GET', path: storageVersions, accept: table },
  storageStatus({ commonEncodingVersion: 'apps/v1' }),
  storageStatus({ storageVersions: [ofServer('a', 'v1')], commonEncodingVersion: null }),
  storageStatus({ storageVersions: [ofServer('a', 'v1')], commonEncodingVersion: 'v2' }),
  storageStatus({ storageVersions: [ofServer('a', 'v1'), ofServer('a', 'v1')], commonEncodingVersion: 'v1' }),
  storageStatus({
    storageVersions: [
      { apiServerID: 'A_', encodingVersion: '', decodableVersions: ['/v1', 'a/b/c', 'A/V'], servedVersions: ['x'] },
    ],
    commonEncodingVersion: '',
  }),
  storageStatus({ storageVersions: [{ apiServerID: 'a', encodingVersion: 'v1' }], commonEncodingVersion: 'v1' }),
  storageStatus({ conditions: [{ type: 'A' }, { type: 'A', status: '-', reason: '', message: '' }] }),
  { method: 'GET', path: `${storageVersions}/apps.deployments` },
  { method: 'PUT', path: `${storageVersions}/apps.deployments`, body: storageVersion('apps.deployments') },
  { method: 'DELETE', path: storageVersions },
];

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
  ...['v1alpha3', 'v1beta2'].flatMap((version) => taintSteps(version, version === 'v1beta2' ? 'v1alpha3' : 'v1beta2')),
  ...storageVersionSteps,
  ...olderDeviceSteps,
  ...poolQuestionSteps,
];
