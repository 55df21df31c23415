import { mutate } from '../mutate.ts';
import { patchOf } from '../patches.ts';
import type { TrialRequest } from '../requests.ts';
import { readSamples } from '../samples.ts';
import type { Client } from '../../harness/client.ts';
import type { ObjectMap, Value } from '../values.ts';
import type { Changes } from '../stories/kinds.ts';
import type { Area, AreaContext } from './area.ts';
import { changed, make, send, variantOf, type Posted } from './support.ts';

const NS = '/api/v1/namespaces/parts';
const CONTAINER: ObjectMap = { name: 'a', image: 'a' };
const resources = (requests: Value, limits: Value): ObjectMap => ({ requests, limits });

/** What is posted beside an object. */
const POSTED: readonly Posted[] = [
  ...['p0', 'p1', 'none'].map((name) => ({
    path: `${NS}/pods/${name}/binding`,
    kind: 'v1/Binding',
    object: { metadata: { name }, target: { kind: 'Node', name: 'n' } },
    changes: {
      'target.kind': ['Pod', '', 'Node'],
      'target.name': ['', 'x', 'A_'],
      'target.apiVersion': ['v1', 'x/v1'],
      'metadata.name': ['other', undefined],
      'metadata.uid': ['x', undefined],
      'metadata.annotations': [{ a: 'b' }],
      'metadata.labels': [{ 'topology.kubernetes.io/zone': 'z' }, { a: 'b' }],
      'metadata.resourceVersion': ['1'],
      'metadata.namespace': ['other'],
    },
  })),
  ...['p0', 'p1', 'p2', 'none'].map((name) => ({
    path: `${NS}/pods/${name}/eviction`,
    kind: 'policy/v1/Eviction',
    object: { metadata: { name } },
    changes: {
      deleteOptions: [
        {},
        { gracePeriodSeconds: 0 },
        { gracePeriodSeconds: -1 },
        { dryRun: ['x'] },
        { propagationPolicy: 'x' },
      ],
      'deleteOptions.preconditions': [{ uid: 'x' }, { resourceVersion: '1' }],
      'deleteOptions.apiVersion': ['v1', 'x/v1'],
      'metadata.name': ['other', undefined],
      'metadata.namespace': ['other'],
    },
  })),
  {
    path: `${NS}/serviceaccounts/sa/token`,
    kind: 'authentication.k8s.io/v1/TokenRequest',
    object: { spec: {} },
    changes: {
      'spec.expirationSeconds': [600, 599, 3607, 4_294_967_296, 4_294_967_297, -1, null],
      'spec.audiences': [['x'], [], ['https://kubernetes.default.svc', 'y'], [''], ['x', 'x']],
      'spec.boundObjectRef': [
        { kind: 'Pod', apiVersion: 'v1', name: 'p0' },
        { kind: 'Pod', apiVersion: 'v1', name: 'p2' },
        { kind: 'Pod', name: 'none' },
        { kind: 'Pod', apiVersion: 'v1', name: 'p0', uid: 'x' },
        { kind: 'Secret', apiVersion: 'v1', name: 's' },
        { kind: 'Node', apiVersion: 'v1', name: 'parts-n' },
        { kind: 'Node', apiVersion: 'v1', name: 'none' },
        { kind: 'ConfigMap', apiVersion: 'v1', name: 's' },
        {},
      ],
      'metadata.name': ['sa', 'other'],
      'metadata.namespace': ['parts', 'other'],
    },
  },
];

/** What is read, changed and written as it is: its place, its kind, and changes that its rules know. */
interface Part {
  readonly path: string;
  readonly kind: string;
  readonly changes: Changes;
}
const SCALE: Changes = {
  'spec.replicas': [0, 5, -1, null, '3', undefined],
  'metadata.resourceVersion': ['1', '0', 'x', '', undefined],
  'metadata.name': ['other', undefined],
  'metadata.labels': [{ a: 'b' }],
  'metadata.uid': ['x', undefined],
  'status.replicas': [7],
  apiVersion: ['autoscaling/v2', 'apps/v1', 'extensions/v1beta1', undefined],
  kind: ['x', undefined],
};
const CPU = ['1', '100m', '0', '2', '-1', '1.0001', 'x', undefined];
const RESIZE: Changes = {
  'spec.containers.0.resources': [
    resources({ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }),
    resources({ cpu: '100m' }, { cpu: '1' }),
    resources({ 'example.com/x': '1' }, { 'example.com/x': '1' }),
    {},
    undefined,
  ],
  'spec.containers.0.resources.requests.cpu': CPU,
  'spec.containers.0.resources.limits.cpu': CPU,
  'spec.containers.0.resources.limits.memory': ['1Gi', '32Mi', '1', undefined],
  'spec.containers.0.resources.requests.memory': ['1Gi', '32Mi', undefined],
  'spec.containers.0.resources.requests.ephemeral-storage': ['1Gi'],
  'spec.containers.0.resizePolicy': [
    [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
    [{ resourceName: 'memory', restartPolicy: 'x' }],
    [],
    undefined,
  ],
  'spec.containers.0.image': ['b'],
  'spec.containers.1.resources.limits.cpu': CPU,
  'spec.initContainers.0.resources.limits.cpu': CPU,
  'spec.resources': [resources({ cpu: '2' }, { cpu: '2' }), {}, undefined],
  'spec.nodeName': ['n', undefined],
  'metadata.labels': [{ a: 'c' }],
  'metadata.resourceVersion': ['1', undefined],
  'status.resize': ['Proposed'],
};
const EPHEMERAL: Changes = {
  'spec.ephemeralContainers': [
    [{ name: 'e', image: 'e' }],
    [{ name: 'e', image: 'e', targetContainerName: 'a' }],
    [{ name: 'e', image: 'e', targetContainerName: 'x' }],
    [{ name: 'a', image: 'e' }],
    [{ name: 'e', image: 'e', ports: [{ containerPort: 1 }] }],
    [{ name: 'e', image: 'e', resources: { limits: { cpu: '1' } } }],
    [{ name: 'e', image: 'e', livenessProbe: { exec: { command: ['x'] } }, lifecycle: {} }],
    [{ name: 'e', image: 'e', volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'x' }] }],
    [{ name: 'e', image: 'e', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    [{ name: 'e' }, { name: 'e', image: '' }],
    [{ name: 'e', image: 'e', securityContext: { privileged: true }, restartPolicy: 'Always' }],
    [
      {
        name: 'f',
        image: 'f',
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        stdin: true,
        tty: true,
      },
    ],
    [],
    undefined,
  ],
  'spec.containers.0.image': ['b'],
  'metadata.labels': [{ a: 'c' }],
  'metadata.resourceVersion': ['1', undefined],
};
const CSR_CONDITIONS: Changes = {
  'status.conditions': [
    [{ type: 'Approved', status: 'True', reason: 'r' }],
    [{ type: 'Approved', status: 'False' }],
    [{ type: 'Denied', status: 'True' }],
    [
      { type: 'Approved', status: 'True' },
      { type: 'Denied', status: 'True' },
    ],
    [{ type: 'Failed', status: 'True' }],
    [
      { type: 'Approved', status: 'True' },
      { type: 'Approved', status: 'True' },
    ],
    [{ type: '', status: 'True' }],
    [{ type: 'X', status: '' }],
    [],
    undefined,
  ],
  'status.certificate': [
    'eA==',
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBQUEKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=',
    undefined,
  ],
  'spec.usages': [['client auth'], undefined],
  'metadata.labels': [{ a: 'b' }],
};
const FINALIZE: Changes = {
  'spec.finalizers': [[], ['kubernetes'], ['a/b'], ['kubernetes', 'x'], [''], undefined],
  'metadata.labels': [{ a: 'b' }],
  'metadata.finalizers': [['a.b/c'], []],
  'status.phase': ['Terminating', 'Active', 'x'],
  'metadata.name': ['other'],
};
const POD_STATUS: Changes = {
  'status.phase': ['Running', 'Failed', 'x', undefined],
  'status.podIP': ['1.2.3.4', 'x', undefined],
  'status.podIPs': [[{ ip: '1.2.3.4' }], [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }], [{ ip: '::1' }, { ip: '1.1.1.1' }]],
  'status.hostIP': ['1.2.3.4'],
  'status.hostIPs': [[{ ip: '1.2.3.4' }], [{ ip: 'x' }]],
  'status.qosClass': ['Guaranteed', 'BestEffort'],
  'status.nominatedNodeName': ['n', 'A_'],
  'status.observedGeneration': [1, 5, -1],
  'status.containerStatuses': [
    [{ name: 'a', image: 'a', imageID: '', ready: true, restartCount: 0, state: { running: {} } }],
    [{ name: 'a', image: 'a', imageID: '', ready: false, restartCount: 1, state: { terminated: { exitCode: 1 } } }],
    [{ name: 'x', image: 'a', imageID: '', ready: false, restartCount: -1, state: { running: {}, waiting: {} } }],
    [{ name: 'a', image: 'a', imageID: '', ready: true, restartCount: 0, user: { linux: { uid: -1, gid: 1 } } }],
    [
      {
        name: 'a',
        image: 'a',
        imageID: '',
        ready: true,
        restartCount: 0,
        allocatedResourcesStatus: [{ name: 'claim:x' }],
      },
    ],
    undefined,
  ],
  'status.conditions': [
    [{ type: 'Ready', status: 'True' }],
    [{ type: 'Ready', status: 'x' }],
    [{ type: 'DisruptionTarget', status: 'True', observedGeneration: -1 }],
    [{ type: 'A_!', status: 'True' }],
    undefined,
  ],
  'status.resourceClaimStatuses': [
    [{ name: 'x', resourceClaimName: 'y' }],
    [{ name: 'rc' }],
    [{ name: '', resourceClaimName: 'A_' }],
  ],
  'status.extendedResourceClaimStatus': [{ resourceClaimName: 'x', requestMappings: [] }],
  'metadata.labels': [{ a: 'z' }],
  'spec.nodeName': ['n'],
};

const APPS = '/apis/apps/v1/namespaces/parts';
const CSR = '/apis/certificates.k8s.io/v1/certificatesigningrequests/parts-c';
const PARTS: readonly Part[] = [
  ...['p0', 'p1', 'p2'].flatMap((name) => [
    { path: `${NS}/pods/${name}/resize`, kind: 'v1/Pod', changes: RESIZE },
    { path: `${NS}/pods/${name}/ephemeralcontainers`, kind: 'v1/Pod', changes: EPHEMERAL },
    { path: `${NS}/pods/${name}/status`, kind: 'v1/Pod', changes: POD_STATUS },
  ]),
  ...['deployments', 'replicasets', 'statefulsets'].map((plural) => ({
    path: `${APPS}/${plural}/x/scale`,
    kind: 'autoscaling/v1/Scale',
    changes: SCALE,
  })),
  { path: `${NS}/replicationcontrollers/x/scale`, kind: 'autoscaling/v1/Scale', changes: SCALE },
  { path: `${CSR}/approval`, kind: 'certificates.k8s.io/v1/CertificateSigningRequest', changes: CSR_CONDITIONS },
  { path: `${CSR}/status`, kind: 'certificates.k8s.io/v1/CertificateSigningRequest', changes: CSR_CONDITIONS },
  { path: `/api/v1/namespaces/parts/finalize`, kind: 'v1/Namespace', changes: FINALIZE },
  { path: `/api/v1/namespaces/parts/status`, kind: 'v1/Namespace', changes: FINALIZE },
];

const SELECTED: ObjectMap = {
  selector: { matchLabels: { a: 'b' } },
  template: { metadata: { labels: { a: 'b' } }, spec: { containers: [CONTAINER] } },
};
const PODS: readonly ObjectMap[] = [
  {
    containers: [CONTAINER, { name: 'b', image: 'b' }],
    volumes: [{ name: 'v', emptyDir: {} }],
    serviceAccountName: 'sa',
  },
  {
    containers: [
      { ...CONTAINER, resources: resources({ cpu: '100m', memory: '64Mi' }, { cpu: '1', memory: '128Mi' }) },
      { name: 'b', image: 'b', resources: { limits: { cpu: '1' } } },
    ],
    initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always', resources: { limits: { cpu: '1' } } }],
    resourceClaims: [{ name: 'rc', resourceClaimName: 'c' }],
  },
  {
    nodeName: 'n',
    containers: [
      {
        ...CONTAINER,
        resources: resources({ cpu: '1', memory: '64Mi' }, { cpu: '1', memory: '64Mi' }),
        resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }],
      },
    ],
    serviceAccountName: 'sa',
  },
];

function postOf(context: AreaContext): TrialRequest {
  const { values } = context;
  const posted = values.pick(POSTED);
  const made = variantOf(posted, { most: 2, mutated: 0.3 }, context);
  return send('POST', `${posted.path}?dryRun=All${values.pick(['', '&fieldValidation=Strict'])}`, made);
}

/** What stands at each part on the reference; it is the same on both, but for what {@link told} leaves out. */
const known = new Map<string, ObjectMap>();

async function read(client: Client, path: string): Promise<void> {
  const { body, status } = await client.get(path.replace('/approval', '').replace('/finalize', ''));
  if (status !== 200) throw new Error(`GET ${path}: ${status}`);
  const object = body as ObjectMap;
  const metadata = object['metadata'] as ObjectMap;
  for (const name of ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']) delete metadata[name];
  known.set(path, object);
}

/** What is beside objects: scales, resizes, ephemeral containers, approvals, bindings, evictions, tokens, statuses. */
export const subresources: Area = {
  async prepare(both) {
    await make(both, '/api/v1/namespaces', { metadata: { name: 'parts' } });
    await make(both, `${NS}/serviceaccounts`, { metadata: { name: 'sa' } });
    await make(both, `${NS}/secrets`, { metadata: { name: 's' } });
    await make(both, '/api/v1/nodes', { metadata: { name: 'parts-n' } });
    for (const [i, spec] of PODS.entries())
      await make(both, `${NS}/pods`, { metadata: { name: `p${i}`, labels: { a: 'b' } }, spec });
    await make(both, '/apis/policy/v1/namespaces/parts/poddisruptionbudgets', {
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { none: 'b' } } },
    });
    for (const plural of ['deployments', 'replicasets', 'statefulsets'])
      await make(both, `${APPS}/${plural}`, {
        metadata: { name: 'x' },
        spec: plural === 'statefulsets' ? { ...SELECTED, serviceName: 's' } : SELECTED,
      });
    await make(both, `${NS}/replicationcontrollers`, {
      metadata: { name: 'x' },
      spec: { ...SELECTED, selector: { a: 'b' } },
    });
    const [sample] = readSamples().get('certificates.k8s.io/v1/CertificateSigningRequest') ?? [];
    const { request = '' } = (sample?.['spec'] ?? {}) as ObjectMap;
    await make(both, CSR.slice(0, CSR.lastIndexOf('/')), {
      metadata: { name: 'parts-c' },
      spec: { request, signerName: 'example.com/x', usages: ['client auth'] },
    });
    for (const { path } of PARTS) await read(both[0] as Client, path);
  },

  request(context) {
    const { schemas, values } = context;
    if (values.chance(0.35)) return postOf(context);
    const { changes, kind, path } = values.pick(PARTS);
    const object = known.get(path) ?? {};
    const made = values.chance(0.85) ? changed(object, changes, { most: 3, values }) : structuredClone(object);
    if (values.chance(0.3)) mutate(made, schemas.ofKind(kind), { values, schemas, fixed: '' });
    const query = `?dryRun=All${values.pick(['', '&fieldValidation=Strict', '&fieldValidation=Ignore'])}`;
    const way = values.share();
    if (way < 0.45) return send('PUT', path + query, made);
    if (way < 0.8 && !path.endsWith('/finalize')) {
      const { body, contentType } = patchOf(object, made, values);
      return { method: 'PATCH', path: path + query, contentType, body };
    }
    const force = values.chance(0.7) ? '&force=true' : '';
    const contentType = 'application/apply-patch+yaml';
    return send('PATCH', `${path}${query}&fieldManager=f${force}`, made, { contentType });
  },
};
