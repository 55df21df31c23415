import type { ObjectMap, Value } from '../values.ts';
import type { Changes } from '../stories/kinds.ts';
import type { Area } from './area.ts';
import { changed, make, send } from './support.ts';

/** Limits of one namespace each. */
const LIMITS: readonly Value[] = [
  [{ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } }],
  [{ type: 'Container', default: { cpu: '500m' }, min: { cpu: '50m', memory: '10Mi' }, max: { cpu: '2' } }],
  [{ type: 'Container', maxLimitRequestRatio: { cpu: '2', memory: '3' } }],
  [{ type: 'Pod', max: { cpu: '2', memory: '1Gi' }, min: { cpu: '100m' }, maxLimitRequestRatio: { cpu: '4' } }],
  [
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
    { type: 'Container', max: { 'ephemeral-storage': '1Gi', 'example.com/x': '2' } },
  ],
  [
    { type: 'Container', min: { cpu: '100m' }, default: { 'hugepages-2Mi': '2Mi' } },
    { type: 'Pod', max: { cpu: '1' } },
    { type: 'x/y', max: { cpu: '1' } },
  ],
];
/** Quotas of one namespace each. */
const QUOTAS: readonly ObjectMap[] = [
  { hard: { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' } },
  { hard: { cpu: '1', memory: '100Mi', 'count/pods': '1', 'requests.ephemeral-storage': '1Gi' } },
  { hard: { pods: '0' }, scopes: ['BestEffort'] },
  { hard: { pods: '1', 'limits.cpu': '1' }, scopes: ['NotBestEffort', 'NotTerminating'] },
  { hard: { pods: '0', cpu: '500m' }, scopes: ['Terminating'] },
  {
    hard: { pods: '0' },
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['lim-high'] }] },
  },
  {
    hard: { pods: '0' },
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
  },
  { hard: { pods: '0' }, scopes: ['CrossNamespacePodAffinity'] },
  {
    hard: {
      'requests.storage': '2Gi',
      persistentvolumeclaims: '1',
      'lim-class.storageclass.storage.k8s.io/requests.storage': '1Gi',
      'lim-class.storageclass.storage.k8s.io/persistentvolumeclaims': '0',
    },
  },
  { hard: { services: '1', 'services.nodeports': '0', 'services.loadbalancers': '0' } },
  { hard: { 'requests.example.com/x': '1', 'requests.hugepages-2Mi': '2Mi', configmaps: '1', secrets: '0' } },
  { hard: { 'count/deployments.apps': '0', 'count/leases.coordination.k8s.io': '0', 'count/jobs.batch': '1' } },
  {
    hard: { 'requests.storage': '1Gi', persistentvolumeclaims: '0' },
    scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['lim-vac'] }] },
  },
];

const RESOURCES: readonly (Value | undefined)[] = [
  { requests: { cpu: '10m' } },
  { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '1', memory: '64Mi' } },
  { limits: { cpu: '3', memory: '2Gi' }, requests: { cpu: '500m' } },
  { limits: { memory: '5Mi' } },
  { limits: { cpu: '100m', 'example.com/x': '3' }, requests: { 'example.com/x': '3' } },
  { limits: { 'hugepages-2Mi': '4Mi', memory: '4Mi', cpu: '1' } },
  { requests: { 'ephemeral-storage': '2Gi' }, limits: { 'ephemeral-storage': '2Gi' } },
  { requests: { cpu: '2' }, limits: { cpu: '1' } },
  { requests: { cpu: '0', memory: '0' } },
  {},
  undefined,
];
const term: Value = { labelSelector: {}, topologyKey: 'a', namespaces: ['x'] };
const POD_CHANGES: Changes = {
  'spec.containers.0.resources': RESOURCES,
  'spec.containers.1.resources': RESOURCES,
  'spec.initContainers.0.resources': RESOURCES,
  'spec.initContainers.0.restartPolicy': ['Always', undefined],
  'spec.resources': [
    { requests: { cpu: '1' } },
    { limits: { cpu: '2', memory: '1Gi' } },
    { requests: { 'example.com/x': '1' } },
  ],
  'spec.overhead': [{ cpu: '100m' }, { cpu: '250m', memory: '1Mi' }, {}, undefined],
  'spec.runtimeClassName': ['lim-over', 'lim-node', 'none', '', undefined],
  'spec.priorityClassName': ['lim-high', 'lim-never', 'system-node-critical', 'none', '', undefined],
  'spec.priority': [0, 1000, 2_000_001_000, undefined],
  'spec.preemptionPolicy': ['Never', 'PreemptLowerPriority', undefined],
  'spec.activeDeadlineSeconds': [10, 0, undefined],
  'spec.tolerations': [
    [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
    [{ operator: 'Exists' }],
    [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', tolerationSeconds: 5 }],
    [{ key: 'a', operator: 'Gt', value: '5' }],
    [{ key: 'over', value: 'x' }],
    undefined,
  ],
  'spec.nodeSelector': [{ a: 'b' }, { rc: 'other' }, { rc: 'yes' }, undefined],
  'spec.affinity': [
    { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] } },
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', namespaceSelector: {} }] } },
    undefined,
  ],
  'spec.hostNetwork': [true],
  'spec.containers.0.imagePullPolicy': ['Never', undefined],
  'spec.containers.0.image': ['a:latest', 'a@sha256:' + 'a'.repeat(64), 'a:1'],
  'metadata.annotations.kubernetes~1io/limit-ranger': ['x'],
};
const POD: ObjectMap = {
  metadata: { name: 'made' },
  spec: {
    containers: [
      { name: 'a', image: 'a' },
      { name: 'b', image: 'b' },
    ],
    initContainers: [{ name: 'i', image: 'i' }],
  },
};

interface Kind {
  readonly path: string;
  readonly object: ObjectMap;
  readonly changes: Changes;
}
const STORAGE = ['500Mi', '1Gi', '2Gi', '6Gi', '0', '-1', 'x'];
const KINDS: readonly Kind[] = [
  {
    path: '/api/v1/namespaces/NS/persistentvolumeclaims',
    object: {
      metadata: { name: 'made' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    changes: {
      'spec.resources.requests.storage': STORAGE,
      'spec.storageClassName': ['lim-class', 'none', '', undefined],
      'spec.volumeAttributesClassName': ['lim-vac', 'none', '', undefined],
      'metadata.annotations.volume~1beta~1kubernetes~1io/storage-class': ['lim-class', ''],
      'spec.volumeName': ['x', undefined],
    },
  },
  {
    path: '/api/v1/namespaces/NS/services',
    object: { metadata: { name: 'made' }, spec: { ports: [{ port: 80 }] } },
    changes: {
      'spec.type': ['NodePort', 'LoadBalancer', 'ExternalName', 'ClusterIP'],
      'spec.externalName': ['a.b'],
      'spec.allocateLoadBalancerNodePorts': [false, true],
      'spec.ports.0.nodePort': [30_007, 1],
    },
  },
  { path: '/api/v1/namespaces/NS/configmaps', object: { metadata: { name: 'made' } }, changes: { data: [{ a: 'b' }] } },
  { path: '/api/v1/namespaces/NS/secrets', object: { metadata: { name: 'made' } }, changes: { type: ['x', 'Opaque'] } },
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/NS/leases',
    object: { metadata: { name: 'made' } },
    changes: { 'spec.holderIdentity': ['x'] },
  },
  {
    path: '/apis/apps/v1/namespaces/NS/deployments',
    object: {
      metadata: { name: 'made' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      },
    },
    changes: { 'spec.replicas': [0, 5], 'spec.template.spec.priorityClassName': ['none'] },
  },
  {
    path: '/api/v1/namespaces/NS/limitranges',
    object: { metadata: { name: 'made' }, spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
    changes: {
      'spec.limits.0.type': ['Pod', 'PersistentVolumeClaim', 'x', 'x/y', ''],
      'spec.limits.0.max': [{ storage: '1Gi' }, { cpu: '100m', memory: '1' }, undefined],
      'spec.limits.0.min': [{ cpu: '2' }, { memory: '1Mi' }, { storage: '1' }],
      'spec.limits.0.default': [{ cpu: '5' }, { memory: '1Gi' }, { cpu: '10m' }],
      'spec.limits.0.defaultRequest': [{ cpu: '3' }, { cpu: '1' }],
      'spec.limits.0.maxLimitRequestRatio': [{ cpu: '0.5' }, { cpu: '3' }, { memory: '2' }],
      'spec.limits.1': [{ type: 'Container' }],
    },
  },
  {
    path: '/api/v1/namespaces/NS/resourcequotas',
    object: { metadata: { name: 'made' }, spec: { hard: { pods: '1' } } },
    changes: {
      'spec.hard': QUOTAS.map(({ hard }) => hard ?? {}).concat(
        { x: '1' },
        { 'count/x': '1' },
        { cpu: '-1' },
        { pods: '1.5' },
      ),
      'spec.scopes': [
        ['BestEffort'],
        ['BestEffort', 'NotBestEffort'],
        ['Terminating', 'BestEffort'],
        ['PriorityClass'],
        ['VolumeAttributesClass'],
        ['x'],
      ],
      'spec.scopeSelector': QUOTAS.map(({ scopeSelector }) => scopeSelector).concat(
        { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['a'] }] },
        { matchExpressions: [{ scopeName: 'x', operator: 'x' }] },
        { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] },
        { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }] },
      ),
    },
  },
];

const NAMESPACES: readonly string[] = [
  ...LIMITS.map((_, i) => `lim-l${i}`),
  ...QUOTAS.map((_, i) => `lim-q${i}`),
  'lim-both',
];

/** Pods, claims, services and more in namespaces with limits and quotas, with classes of priority, runtime and storage. */
export const limits: Area = {
  async prepare(both) {
    const classes: readonly (readonly [string, ObjectMap])[] = [
      ['/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'lim-high' }, value: 1000 }],
      [
        '/apis/scheduling.k8s.io/v1/priorityclasses',
        { metadata: { name: 'lim-never' }, value: -5, preemptionPolicy: 'Never' },
      ],
      [
        '/apis/node.k8s.io/v1/runtimeclasses',
        { metadata: { name: 'lim-over' }, handler: 'h', overhead: { podFixed: { cpu: '250m', memory: '1Mi' } } },
      ],
      [
        '/apis/node.k8s.io/v1/runtimeclasses',
        {
          metadata: { name: 'lim-node' },
          handler: 'h',
          scheduling: { nodeSelector: { rc: 'yes' }, tolerations: [{ key: 'over', operator: 'Exists' }] },
        },
      ],
      ['/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'lim-class' }, provisioner: 'p' }],
      [
        '/apis/storage.k8s.io/v1/volumeattributesclasses',
        { metadata: { name: 'lim-vac' }, driverName: 'd', parameters: { a: 'b' } },
      ],
    ];
    for (const [path, object] of classes) await make(both, path, object);
    for (const name of NAMESPACES) await make(both, '/api/v1/namespaces', { metadata: { name } });
    for (const [i, limitsOf] of [...LIMITS, ...LIMITS.slice(0, 1)].entries()) {
      const namespace = i === LIMITS.length ? 'lim-both' : `lim-l${i}`;
      await make(both, `/api/v1/namespaces/${namespace}/limitranges`, {
        metadata: { name: 'l' },
        spec: { limits: limitsOf },
      });
    }
    for (const [i, spec] of [...QUOTAS, ...QUOTAS.slice(0, 1)].entries()) {
      const namespace = i === QUOTAS.length ? 'lim-both' : `lim-q${i}`;
      const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
      await make(both, path, { metadata: { name: 'q' }, spec });
      // What a controller writes, which is none of the reference's.
      const hard = spec['hard'] as ObjectMap;
      const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
      for (const client of both) await client.patch(`${path}/q/status`, 'merge-patch', { status: { hard, used } });
    }
  },

  request({ values }) {
    const namespace = values.pick(NAMESPACES);
    if (values.chance(0.65)) {
      const pod = changed(POD, POD_CHANGES, { most: 4, values });
      return send('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, pod);
    }
    const { changes, object, path } = values.pick(KINDS);
    return send('POST', `${path.replace('NS', namespace)}?dryRun=All`, changed(object, changes, { most: 3, values }));
  },
};
