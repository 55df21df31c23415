import type { ObjectMap, Value } from '../values.ts';

/** A kind of objects that stories are about. */
export interface StoryKind {
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly cluster?: boolean;
  /** Other versions of the same objects. */
  readonly versions?: readonly string[];
  /** Objects to begin with, without names; NS in texts stands for the story's namespace. */
  readonly bases: readonly ObjectMap[];
  /** Where an object is changed, and to what; undefined removes the member. */
  readonly changes: Changes;
  /** The same of its status, which is another endpoint's. */
  readonly status?: Changes;
  readonly fields?: readonly string[];
  /** The subresources that are updated like the object, each with what is changed in it. */
  readonly parts?: Readonly<Record<string, Changes>>;
  /** What is posted to subresources. */
  readonly posts?: Readonly<Record<string, readonly ObjectMap[]>>;
}

/** What stands at a path (`spec.containers.0.image`) otherwise: one of these; undefined removes it. */
export type Changes = Readonly<Record<string, readonly (Value | undefined)[]>>;

const CONTAINER: ObjectMap = { name: 'a', image: 'a' };
const template = (more: ObjectMap = {}, labels: ObjectMap = { app: 'a' }): ObjectMap => ({
  metadata: { labels },
  spec: { containers: [CONTAINER], ...more },
});
const selector: ObjectMap = { matchLabels: { app: 'a' } };
const TEMPLATE_CHANGES: Changes = {
  'spec.template.metadata.labels.app': ['a', 'b'],
  'spec.template.metadata.annotations': [{ a: 'b' }, undefined],
  'spec.template.spec.containers.0.image': ['a', 'b', '', ' c'],
  'spec.template.spec.containers.0.env': [
    [{ name: 'A', value: 'b' }],
    [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ],
    [{ name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    undefined,
  ],
  'spec.template.spec.containers.0.ports': [
    [{ containerPort: 80 }],
    [
      { containerPort: 80, protocol: 'UDP' },
      { containerPort: 80, name: 'http' },
    ],
    [{ containerPort: 80, hostPort: 80 }],
  ],
  'spec.template.spec.containers.0.resources': [
    { requests: { cpu: '100m' } },
    { limits: { cpu: '0.1', memory: '64Mi' }, requests: { cpu: '200m' } },
    undefined,
  ],
  'spec.template.spec.nodeSelector': [{ a: 'b' }, undefined],
  'spec.template.spec.tolerations': [[{ operator: 'Exists' }], [{ key: 'a', effect: 'NoExecute' }], undefined],
  'spec.template.spec.restartPolicy': ['Always', 'OnFailure', 'Never', undefined],
  'spec.template.spec.hostNetwork': [true, undefined],
  'spec.template.spec.volumes': [
    [{ name: 'v', emptyDir: {} }],
    [{ name: 'v', configMap: { name: 'c', defaultMode: 256 } }],
    [{ name: 'v', hostPath: { path: '/x' } }],
    undefined,
  ],
  'spec.template.spec.serviceAccountName': ['x', undefined],
  'spec.template.spec.topologySpreadConstraints': [
    [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector }],
    undefined,
  ],
};
const conditions = (...types: string[]): (Value | undefined)[] => [
  types.map((type) => ({ type, status: 'True', reason: 'A', lastTransitionTime: '2020-01-01T00:00:00Z' })),
  types.slice(0, 1).map((type) => ({ type, status: 'False', reason: 'B', lastTransitionTime: '2020-01-02T00:00:00Z' })),
  [{ type: 'X', status: 'x' }],
  undefined,
];
const REPLICAS: Changes = {
  'status.replicas': [0, 1, 3, -1],
  'status.readyReplicas': [0, 1, 2, -1],
  'status.availableReplicas': [0, 1, 2, 4],
  'status.observedGeneration': [1, 2, -1],
};
const SCALE = { scale: { 'spec.replicas': [0, 1, 5, -1, undefined], 'metadata.resourceVersion': ['1', undefined] } };

export const KINDS: readonly StoryKind[] = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    plural: 'pods',
    fields: [
      'spec.nodeName=',
      'spec.nodeName=n',
      'status.phase=Pending',
      'status.phase!=Running',
      'spec.restartPolicy=Always',
      'spec.schedulerName=x',
      'spec.serviceAccountName=x',
      'status.podIP=1.2.3.4',
      'status.nominatedNodeName=n',
      'spec.hostNetwork=true',
    ],
    bases: [
      { spec: { containers: [CONTAINER] } },
      {
        spec: {
          containers: [
            {
              ...CONTAINER,
              resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } },
            },
            { name: 'b', image: 'b' },
          ],
          initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always' }],
          terminationGracePeriodSeconds: 5,
        },
      },
      { spec: { containers: [CONTAINER], nodeName: 'n', terminationGracePeriodSeconds: 1 } },
      {
        spec: {
          containers: [CONTAINER],
          schedulingGates: [{ name: 'a/b' }, { name: 'c' }],
          tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }],
        },
      },
      {
        spec: {
          containers: [
            {
              ...CONTAINER,
              resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
              resources: { limits: { cpu: '1', memory: '1Gi' } },
            },
          ],
          volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'p' } }],
          nodeSelector: { a: 'b' },
          activeDeadlineSeconds: 100,
        },
      },
    ],
    changes: {
      'spec.containers.0.image': ['a', 'b', ''],
      'spec.initContainers.0.image': ['z'],
      'spec.activeDeadlineSeconds': [10, 50, 200, 0, undefined],
      'spec.terminationGracePeriodSeconds': [1, 10, -1, 30],
      'spec.tolerations': [
        [{ operator: 'Exists' }],
        [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 }],
        [],
      ],
      'spec.schedulingGates': [[{ name: 'a/b' }], [], [{ name: 'c' }, { name: 'a/b' }], [{ name: 'new' }], undefined],
      'spec.nodeSelector': [{ a: 'b', c: 'd' }, { a: 'c' }, {}],
      'spec.affinity': [
        {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
            },
          },
        },
      ],
      'spec.nodeName': ['n', 'm', undefined],
      'spec.hostNetwork': [true],
      'spec.priority': [0, 10],
      'spec.priorityClassName': ['system-node-critical', 'x'],
      'spec.containers.0.resources.requests.cpu': ['100m', '200m', '2'],
      'spec.containers.0.env': [[{ name: 'A', value: '1' }]],
      'spec.restartPolicy': ['Never'],
      'spec.ephemeralContainers': [[{ name: 'e', image: 'e' }]],
      'spec.overhead': [{ cpu: '1' }],
    },
    status: {
      'status.phase': ['Running', 'Pending', 'Succeeded', 'Failed', 'X'],
      'status.conditions': [
        ...conditions('Ready', 'ContainersReady'),
        [{ type: 'PodScheduled', status: 'True' }],
        [{ type: 'Ready', status: 'True', observedGeneration: 1 }],
      ],
      'status.podIP': ['1.2.3.4', 'x', undefined],
      'status.podIPs': [
        [{ ip: '1.2.3.4' }],
        [{ ip: '1.2.3.4' }, { ip: 'fd00::1' }],
        [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }],
      ],
      'status.hostIP': ['1.1.1.1'],
      'status.hostIPs': [[{ ip: '1.1.1.1' }], []],
      'status.qosClass': ['Guaranteed', 'Burstable', undefined],
      'status.containerStatuses': [
        [
          {
            name: 'a',
            image: 'a',
            imageID: 'x',
            ready: true,
            restartCount: 1,
            state: { running: { startedAt: '2020-01-01T00:00:00Z' } },
          },
        ],
        [
          {
            name: 'a',
            image: 'a',
            imageID: 'x',
            ready: false,
            restartCount: 0,
            state: { terminated: { exitCode: 1 } },
          },
        ],
        [
          {
            name: 'a',
            image: 'a',
            imageID: 'x',
            ready: false,
            restartCount: 0,
            state: { waiting: { reason: 'A' }, terminated: { exitCode: 0 } },
          },
        ],
      ],
      'status.resize': ['InProgress', 'Infeasible', undefined],
      'status.nominatedNodeName': ['n', undefined],
      'status.observedGeneration': [1, 2, -1],
      'status.resourceClaimStatuses': [[{ name: 'x', resourceClaimName: 'y' }]],
      'status.startTime': ['2020-01-01T00:00:00Z'],
      'spec.containers.0.image': ['changed'],
    },
    parts: {
      resize: {
        'spec.containers.0.resources.requests': [
          { cpu: '200m' },
          { cpu: '100m', memory: '64Mi' },
          { cpu: '2', memory: '2Gi' },
          undefined,
          { 'ephemeral-storage': '1Gi' },
        ],
        'spec.containers.0.resources.limits': [
          { cpu: '2', memory: '256Mi' },
          { cpu: '1' },
          { memory: '32Mi' },
          undefined,
        ],
        'spec.containers.0.resizePolicy': [[{ resourceName: 'memory', restartPolicy: 'RestartContainer' }], undefined],
        'spec.containers.0.image': ['other'],
        'spec.containers.1.resources': [{ requests: { cpu: '1' } }, { limits: { cpu: '1' } }],
        'spec.initContainers.0.resources': [{ requests: { cpu: '1' } }],
        'metadata.labels.resized': ['yes'],
        'spec.resources': [{ requests: { cpu: '1' } }],
      },
      ephemeralcontainers: {
        'spec.ephemeralContainers': [
          [{ name: 'e', image: 'e' }],
          [
            { name: 'e', image: 'e' },
            { name: 'f', image: 'f', targetContainerName: 'a' },
          ],
          [{ name: 'a', image: 'e' }],
          [{ name: 'e', image: 'changed' }],
          [{ name: 'e', image: 'e', ports: [{ containerPort: 1 }] }],
          [{ name: 'g', image: 'g', targetContainerName: 'nobody' }],
          [],
          undefined,
        ],
        'spec.containers.0.image': ['other'],
        'metadata.annotations.eph': ['x'],
      },
    },
    posts: {
      binding: [
        { apiVersion: 'v1', kind: 'Binding', target: { kind: 'Node', name: 'n' } },
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { annotations: { x: 'y' }, labels: { bound: 'y' } },
          target: { name: 'm' },
        },
        { apiVersion: 'v1', kind: 'Binding', target: { kind: 'Pod', name: 'n' } },
        { apiVersion: 'v1', kind: 'Binding', target: { apiVersion: 'v1' } },
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'other', uid: 'x' },
          target: { kind: 'Node', name: 'n' },
        },
      ],
      eviction: [
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: {} },
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: {}, deleteOptions: { gracePeriodSeconds: 0 } },
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: {}, deleteOptions: { dryRun: ['All'] } },
        {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: {},
          deleteOptions: { preconditions: { resourceVersion: '1' } },
        },
        { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: {} },
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'other' } },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    plural: 'services',
    fields: ['spec.clusterIP=None', 'spec.type=NodePort', 'spec.type!=ClusterIP'],
    bases: [
      { spec: { ports: [{ port: 80 }] } },
      {
        spec: {
          ports: [
            { port: 80, name: 'a' },
            { port: 81, name: 'b', targetPort: 'x' },
          ],
          selector: { app: 'a' },
          type: 'NodePort',
        },
      },
      { spec: { clusterIP: 'None', selector: { a: 'b' } } },
      { spec: { type: 'ExternalName', externalName: 'example.com' } },
      {
        spec: {
          type: 'LoadBalancer',
          ports: [{ port: 80 }],
          externalTrafficPolicy: 'Local',
          allocateLoadBalancerNodePorts: false,
        },
      },
      { spec: { type: 'LoadBalancer', ports: [{ port: 80 }], externalTrafficPolicy: 'Local' } },
      { spec: { ports: [{ port: 80 }], ipFamilyPolicy: 'PreferDualStack' } },
      { spec: { ports: [{ port: 80 }], ipFamilies: ['IPv6'] } },
    ],
    changes: {
      'spec.type': ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', undefined, 'X'],
      'spec.externalName': ['a.example.com', undefined, ''],
      'spec.clusterIP': ['', 'None', undefined, '10.0.0.1', '10.0.77.77', '192.168.1.1'],
      'spec.clusterIPs': [undefined, [], ['None'], ['10.0.77.78']],
      'spec.ports': [
        [{ port: 80 }],
        [
          { port: 80, name: 'a' },
          { port: 81, name: 'b' },
        ],
        [{ port: 80, name: 'a', nodePort: 31234 }],
        [
          { port: 80, name: 'a', protocol: 'TCP' },
          { port: 80, name: 'b', protocol: 'UDP' },
        ],
        [
          { port: 80, name: 'a' },
          { port: 80, name: 'b' },
        ],
        [{ port: 80, nodePort: 80 }],
        [],
        [{ port: 80, appProtocol: 'kubernetes.io/h2c', protocol: 'SCTP' }],
      ],
      'spec.externalTrafficPolicy': ['Local', 'Cluster', undefined],
      'spec.internalTrafficPolicy': ['Local', 'Cluster', undefined],
      'spec.healthCheckNodePort': [undefined, 0, 32100],
      'spec.sessionAffinity': ['ClientIP', 'None', undefined],
      'spec.sessionAffinityConfig': [{ clientIP: { timeoutSeconds: 100 } }, undefined],
      'spec.ipFamilyPolicy': ['SingleStack', 'PreferDualStack', 'RequireDualStack', undefined],
      'spec.ipFamilies': [['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], undefined],
      'spec.loadBalancerClass': ['a/b', 'c/d', undefined],
      'spec.loadBalancerIP': ['1.2.3.4', undefined],
      'spec.loadBalancerSourceRanges': [['1.2.3.0/24'], [' 1.2.3.0/24 '], ['x'], undefined],
      'spec.allocateLoadBalancerNodePorts': [true, false, undefined],
      'spec.selector': [{ app: 'b' }, {}, undefined],
      'spec.publishNotReadyAddresses': [true, undefined],
      'spec.externalIPs': [['1.2.3.4'], ['127.0.0.1'], undefined],
      'spec.trafficDistribution': ['PreferClose', 'PreferSameNode', 'X', undefined],
    },
    status: {
      'status.loadBalancer': [
        { ingress: [{ ip: '1.2.3.4' }] },
        { ingress: [{ hostname: 'a.b', ip: '1.2.3.4', ipMode: 'Proxy' }] },
        { ingress: [{ ip: 'x' }] },
        {},
      ],
      'status.conditions': conditions('A', 'B'),
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    bases: [
      { data: { a: 'b' } },
      { binaryData: { x: 'YQ==' }, data: { a: 'c' } },
      { immutable: true, data: { a: 'b' } },
    ],
    changes: {
      'data.a': ['b', 'c', '', undefined],
      'data.b': ['1', '2', undefined],
      data: [{ z: '1' }, {}, undefined],
      'binaryData.x': ['YQ==', 'Yg==', '!', undefined],
      'binaryData.a': ['YQ==', undefined],
      immutable: [true, false, undefined],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    fields: ['type=Opaque', 'type=kubernetes.io/tls'],
    bases: [
      { data: { a: 'YQ==' } },
      { stringData: { s: 't' }, immutable: true },
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
      { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } },
      {
        type: 'kubernetes.io/service-account-token',
        metadata: { annotations: { 'kubernetes.io/service-account.name': 'default' } },
      },
    ],
    changes: {
      'data.a': ['YQ==', 'Yg==', undefined],
      stringData: [{ a: 'x' }, { n: 'm' }, undefined],
      type: ['Opaque', 'kubernetes.io/ssh-auth', undefined, 'x'],
      immutable: [true, false, undefined],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    bases: [{}, { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'i' }], automountServiceAccountToken: false }],
    changes: {
      secrets: [[{ name: 's' }], [{ name: 's' }, { name: 't' }], [], undefined],
      imagePullSecrets: [[{ name: 'i' }], [{ name: 'j' }], undefined],
      automountServiceAccountToken: [true, false, undefined],
    },
    posts: {
      token: [
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { audiences: ['a', 'b'], expirationSeconds: 700 },
        },
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 10 } },
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'o0' } },
        },
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'o1', uid: 'x' } },
        },
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'NS-o0' } },
        },
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          metadata: { name: 'other' },
          spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'o1' } },
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    bases: [
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          storageClassName: 'NS-grow',
          volumeName: 'v',
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteMany'],
          resources: { requests: { storage: '2Gi' } },
          storageClassName: '',
          volumeMode: 'Block',
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOncePod'],
          resources: { requests: { storage: '1Gi' } },
          dataSource: { kind: 'PersistentVolumeClaim', name: 'o0' },
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          dataSourceRef: { kind: 'VolumeSnapshot', apiGroup: 'snapshot.storage.k8s.io', name: 's' },
          volumeAttributesClassName: 'x',
        },
      },
    ],
    changes: {
      'spec.resources.requests.storage': ['1Gi', '2Gi', '500Mi', '0', '3G'],
      'spec.storageClassName': ['NS-grow', '', 'x', undefined],
      'spec.volumeName': ['v', 'w', undefined],
      'spec.volumeMode': ['Filesystem', 'Block', undefined],
      'spec.accessModes': [['ReadWriteOnce'], ['ReadWriteMany', 'ReadWriteOnce'], []],
      'spec.volumeAttributesClassName': ['x', 'y', '', undefined],
      'spec.selector': [{ matchLabels: { a: 'b' } }, undefined],
      'spec.dataSource': [{ kind: 'PersistentVolumeClaim', name: 'z' }, { kind: 'Pod', name: 'z' }, undefined],
    },
    status: {
      'status.phase': ['Bound', 'Pending', 'Lost', 'X'],
      'status.capacity': [{ storage: '1Gi' }, { storage: '2Gi' }, { storage: '-1' }, undefined],
      'status.accessModes': [['ReadWriteOnce'], undefined],
      'status.conditions': [
        ...conditions('Resizing', 'FileSystemResizePending'),
        [{ type: 'Resizing', status: 'True' }],
      ],
      'status.allocatedResources': [{ storage: '2Gi' }, { storage: '1Mi' }, { cpu: '1' }, undefined],
      'status.allocatedResourceStatuses': [{ storage: 'NodeResizePending' }, { storage: 'x' }, { cpu: 'x' }, undefined],
      'status.currentVolumeAttributesClassName': ['x', undefined],
      'status.modifyVolumeStatus': [
        { status: 'Pending', targetVolumeAttributesClassName: 'x' },
        { status: 'X' },
        undefined,
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    cluster: true,
    bases: [
      { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          csi: { driver: 'd', volumeHandle: 'h' },
          persistentVolumeReclaimPolicy: 'Delete',
          claimRef: { name: 'c', namespace: 'NS' },
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          local: { path: '/x' },
          nodeAffinity: {
            required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
          },
        },
      },
    ],
    changes: {
      'spec.capacity.storage': ['1Gi', '2Gi', '0', '-1'],
      'spec.persistentVolumeReclaimPolicy': ['Retain', 'Delete', 'Recycle', 'X'],
      'spec.claimRef': [{ name: 'c', namespace: 'NS', uid: 'u' }, { name: 'd', namespace: 'NS' }, undefined],
      'spec.hostPath.path': ['/y', '/x/../y'],
      'spec.hostPath.type': ['Directory', ''],
      'spec.nodeAffinity': [
        { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } },
        undefined,
      ],
      'spec.mountOptions': [['a'], undefined],
      'spec.storageClassName': ['x', undefined],
      'spec.csi.controllerExpandSecretRef': [{ name: 'a', namespace: 'b' }, undefined],
      'spec.volumeAttributesClassName': ['x', 'y', undefined],
    },
    status: {
      'status.phase': ['Bound', 'Available', 'Released', 'Failed', 'X'],
      'status.message': ['m'],
      'status.reason': ['r'],
      'status.lastPhaseTransitionTime': ['2020-01-01T00:00:00Z', undefined],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    fields: ['status.replicas=0', 'status.replicas=1'],
    bases: [
      { spec: { template: template() } },
      { spec: { replicas: 2, selector: { app: 'a' }, template: template() } },
    ],
    changes: {
      'spec.replicas': [0, 1, 3, -1, undefined],
      'spec.selector.app': ['a', 'b'],
      'spec.minReadySeconds': [0, 5],
      ...TEMPLATE_CHANGES,
    },
    status: { ...REPLICAS, 'status.conditions': conditions('ReplicaFailure') },
    parts: SCALE,
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    bases: [
      { spec: { hard: { pods: '3', configmaps: '4' } } },
      { spec: { hard: { 'requests.cpu': '500m', 'limits.memory': '1Gi' } } },
      { spec: { hard: { pods: '2' }, scopes: ['BestEffort'] } },
      {
        spec: {
          hard: {
            'count/deployments.apps': '1',
            'services.nodeports': '1',
            services: '2',
            secrets: '2',
            persistentvolumeclaims: '1',
            'requests.storage': '2Gi',
          },
        },
      },
      {
        spec: {
          hard: { pods: '1' },
          scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
        },
      },
      {
        spec: {
          hard: {
            'count/jobs.batch': '1',
            'count/roles.rbac.authorization.k8s.io': '1',
            'services.loadbalancers': '0',
            'ephemeral-storage': '1Gi',
          },
        },
      },
    ],
    changes: {
      'spec.hard.pods': ['0', '1', '5', '-1', '1.5', undefined],
      'spec.hard.configmaps': ['1', '10'],
      'spec.hard.services': ['0', '5'],
      'spec.scopes': [['Terminating'], ['BestEffort', 'NotBestEffort'], undefined],
    },
    status: {
      'status.hard': [
        { pods: '3', configmaps: '4', services: '2', 'count/deployments.apps': '1' },
        { pods: '2' },
        { 'requests.cpu': '500m', 'limits.memory': '1Gi' },
        undefined,
      ],
      'status.used': [
        { pods: '0', configmaps: '0', services: '0', 'count/deployments.apps': '0' },
        { pods: '2', configmaps: '1' },
        { 'requests.cpu': '400m', 'limits.memory': '0' },
        { pods: '1.5' },
        undefined,
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    plural: 'limitranges',
    bases: [
      {
        spec: {
          limits: [
            {
              type: 'Container',
              default: { cpu: '500m' },
              defaultRequest: { cpu: '100m' },
              max: { cpu: '1' },
              min: { cpu: '50m' },
            },
          ],
        },
      },
      {
        spec: {
          limits: [
            { type: 'Pod', max: { cpu: '1', memory: '1Gi' } },
            { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '1Gi' } },
          ],
        },
      },
      { spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { memory: '2' } }] } },
    ],
    changes: {
      'spec.limits.0.max.cpu': ['1', '100m', '10m', undefined],
      'spec.limits.0.min.cpu': ['1', '10m', undefined],
      'spec.limits.0.default.memory': ['64Mi', undefined],
      'spec.limits.0.type': ['Container', 'Pod', 'x.y/z'],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    plural: 'endpoints',
    bases: [{ subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] }] }, {}],
    changes: {
      subsets: [
        [
          {
            addresses: [{ ip: '1.2.3.5' }, { ip: '1.2.3.4', nodeName: 'n' }],
            ports: [
              { port: 81, name: 'b' },
              { port: 80, name: 'a' },
            ],
          },
        ],
        [
          { notReadyAddresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] },
          { addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] },
        ],
        [{ addresses: [{ ip: '127.0.0.1' }] }],
        [{}],
        undefined,
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    plural: 'events',
    versions: ['events.k8s.io/v1'],
    fields: [
      'reason=R',
      'type=Normal',
      'involvedObject.name=o0',
      'involvedObject.kind=Pod',
      'source=c',
      'reportingComponent=c',
      'regarding.name=o0',
    ],
    bases: [
      {
        involvedObject: { kind: 'Pod', name: 'o0', namespace: 'NS', apiVersion: 'v1' },
        reason: 'R',
        type: 'Normal',
        message: 'm',
        count: 1,
        source: { component: 'c' },
        firstTimestamp: '2020-01-01T00:00:00Z',
        lastTimestamp: '2020-01-01T00:00:00Z',
      },
      {
        involvedObject: { kind: 'Pod', name: 'o0', namespace: 'NS' },
        eventTime: '2020-01-01T00:00:00.000000Z',
        action: 'A',
        reason: 'R',
        type: 'Warning',
        reportingComponent: 'a/b',
        reportingInstance: 'i',
      },
      { involvedObject: {} },
    ],
    changes: {
      message: ['n', undefined],
      note: ['n', undefined],
      count: [2, 3],
      'series.count': [2, 3, 0],
      series: [{ count: 2, lastObservedTime: '2020-01-01T00:00:00.000000Z' }, undefined],
      type: ['Warning', 'Normal', ''],
      reason: ['S', ''],
      action: ['B', undefined],
      lastTimestamp: ['2020-01-02T00:00:00Z'],
      'involvedObject.name': ['o1'],
      'regarding.name': ['o1'],
      reportingController: ['x/y', undefined],
    },
  },
  {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    plural: 'events',
    versions: ['v1'],
    fields: ['reason=R', 'type=Normal', 'regarding.name=o0', 'reportingController=a/b'],
    bases: [
      {
        regarding: { kind: 'Pod', name: 'o0', namespace: 'NS' },
        eventTime: '2020-01-01T00:00:00.000000Z',
        action: 'A',
        reason: 'R',
        type: 'Normal',
        note: 'n',
        reportingController: 'a/b',
        reportingInstance: 'i',
      },
    ],
    changes: {
      note: ['m', undefined],
      series: [
        { count: 2, lastObservedTime: '2020-01-01T00:00:00.000000Z' },
        { count: 3, lastObservedTime: '2020-01-02T00:00:00.000000Z' },
        undefined,
      ],
      type: ['Warning', 'x'],
      reason: ['S'],
      deprecatedCount: [2],
      eventTime: ['2020-01-02T00:00:00.000000Z'],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    cluster: true,
    fields: ['status.phase=Active', 'status.phase=Terminating'],
    bases: [{}, { spec: { finalizers: [] } }, { spec: { finalizers: ['a/b'] } }],
    changes: {
      'spec.finalizers': [['kubernetes'], [], ['a/b'], undefined],
      'metadata.labels.kubernetes~1io/metadata~1name': ['x'],
    },
    status: {
      'status.phase': ['Active', 'Terminating', 'X'],
      'status.conditions': conditions('NamespaceDeletionContentFailure'),
    },
    parts: {
      finalize: {
        'spec.finalizers': [['kubernetes'], [], ['a/b'], ['a'], undefined],
        'metadata.labels.f': ['x'],
        'status.phase': ['X'],
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Node',
    plural: 'nodes',
    cluster: true,
    fields: ['spec.unschedulable=true', 'spec.unschedulable=false'],
    bases: [
      {},
      { spec: { podCIDR: '1.2.3.0/24', providerID: 'p' } },
      { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    ],
    changes: {
      'spec.unschedulable': [true, false, undefined],
      'spec.podCIDR': ['1.2.3.0/24', '1.2.4.0/24', 'x', undefined],
      'spec.podCIDRs': [['1.2.3.0/24'], ['1.2.3.0/24', 'fd00::/64'], ['1.2.3.0/24', '1.2.4.0/24']],
      'spec.providerID': ['p', 'q', undefined],
      'spec.taints': [
        [{ key: 'a', effect: 'NoExecute' }],
        [{ key: 'a', effect: 'X' }],
        [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule', value: 'v' },
        ],
        undefined,
      ],
      'spec.configSource': [{ configMap: { name: 'a' } }],
    },
    status: {
      'status.capacity': [{ cpu: '1', memory: '1Gi' }, { cpu: '-1' }, { 'a.b/c': '1.5' }, undefined],
      'status.allocatable': [{ cpu: '1' }, undefined],
      'status.conditions': conditions('Ready', 'MemoryPressure'),
      'status.addresses': [
        [{ type: 'InternalIP', address: '1.2.3.4' }],
        [
          { type: 'InternalIP', address: '1.2.3.4' },
          { type: 'InternalIP', address: '1.2.3.5' },
          { type: 'Hostname', address: 'h' },
        ],
        undefined,
      ],
      'status.images': [[{ names: ['a'], sizeBytes: 1 }]],
      'status.volumesAttached': [[{ name: 'a', devicePath: 'b' }]],
      'status.nodeInfo.kubeletVersion': ['v1.36.2'],
      'status.daemonEndpoints': [{ kubeletEndpoint: { Port: 10250 } }],
      'spec.unschedulable': [true],
      'status.features': [{ supplementalGroupsPolicy: true }],
      'status.declaredFeatures': [['A'], ['B', 'A'], ['x y']],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    plural: 'podtemplates',
    bases: [{ template: template() }],
    changes: { 'template.spec.containers.0.image': ['b', ''], 'template.spec.restartPolicy': ['Never', 'X'] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    plural: 'deployments',
    bases: [
      { spec: { selector, template: template() } },
      { spec: { replicas: 3, selector, template: template(), strategy: { type: 'Recreate' } } },
    ],
    changes: {
      'spec.replicas': [0, 1, 3, -1, undefined],
      'spec.paused': [true, false, undefined],
      'spec.strategy': [
        { type: 'Recreate' },
        { rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } },
        { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        { type: 'Recreate', rollingUpdate: {} },
        undefined,
      ],
      'spec.minReadySeconds': [5, 700],
      'spec.revisionHistoryLimit': [0, 5, undefined],
      'spec.progressDeadlineSeconds': [1, 600, undefined],
      'spec.selector.matchLabels.app': ['a', 'b'],
      ...TEMPLATE_CHANGES,
    },
    status: {
      ...REPLICAS,
      'status.unavailableReplicas': [0, 1],
      'status.updatedReplicas': [1, 4],
      'status.conditions': conditions('Available', 'Progressing'),
      'status.collisionCount': [1, 0, -1, undefined],
      'status.terminatingReplicas': [0, 1],
    },
    parts: SCALE,
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    bases: [
      { spec: { selector, template: template(), serviceName: 's' } },
      {
        spec: {
          selector,
          template: template(),
          replicas: 2,
          volumeClaimTemplates: [
            {
              metadata: { name: 'd' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      },
    ],
    changes: {
      'spec.replicas': [0, 1, 3, -1],
      'spec.ordinals': [{ start: 2 }, { start: -1 }, undefined],
      'spec.podManagementPolicy': ['Parallel', 'OrderedReady'],
      'spec.updateStrategy': [
        { type: 'OnDelete' },
        { rollingUpdate: { partition: 1 } },
        { rollingUpdate: { maxUnavailable: '50%' } },
        { type: 'OnDelete', rollingUpdate: {} },
        undefined,
      ],
      'spec.persistentVolumeClaimRetentionPolicy': [{ whenDeleted: 'Delete' }, { whenScaled: 'X' }, undefined],
      'spec.serviceName': ['t', undefined],
      'spec.minReadySeconds': [3, -1],
      'spec.revisionHistoryLimit': [1, undefined],
      'spec.volumeClaimTemplates.0.spec.resources.requests.storage': ['2Gi'],
      ...TEMPLATE_CHANGES,
    },
    status: {
      ...REPLICAS,
      'status.currentReplicas': [0, 1, 4],
      'status.updatedReplicas': [1, 4],
      'status.currentRevision': ['x'],
      'status.updateRevision': ['y'],
      'status.collisionCount': [1, 0, undefined],
      'status.conditions': conditions('A', 'B'),
    },
    parts: SCALE,
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    bases: [{ spec: { selector, template: template() } }],
    changes: {
      'spec.updateStrategy': [
        { type: 'OnDelete' },
        { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        { rollingUpdate: { maxSurge: 1 } },
        { rollingUpdate: { maxUnavailable: '0%' } },
        undefined,
      ],
      'spec.minReadySeconds': [1, -1],
      'spec.revisionHistoryLimit': [3, undefined],
      'spec.selector.matchLabels.app': ['b'],
      ...TEMPLATE_CHANGES,
    },
    status: {
      'status.currentNumberScheduled': [1, -1],
      'status.desiredNumberScheduled': [1, 2],
      'status.numberMisscheduled': [0, 1],
      'status.numberReady': [1, 2],
      'status.observedGeneration': [1, 2],
      'status.conditions': conditions('A', 'B'),
      'status.collisionCount': [1, 0, undefined],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    fields: ['status.replicas=0', 'status.replicas=1'],
    bases: [{ spec: { selector, template: template() } }, { spec: { replicas: 0, selector, template: template() } }],
    changes: {
      'spec.replicas': [0, 1, 3, -1],
      'spec.minReadySeconds': [5],
      'spec.selector.matchLabels.app': ['b'],
      ...TEMPLATE_CHANGES,
    },
    status: {
      ...REPLICAS,
      'status.fullyLabeledReplicas': [1, 4],
      'status.conditions': conditions('ReplicaFailure', 'X'),
      'status.terminatingReplicas': [0, 1, -1],
    },
    parts: SCALE,
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    bases: [
      { revision: 1, data: { a: 'b' } },
      { revision: 2, data: { spec: { x: [1, 2.5, null] } } },
    ],
    changes: { revision: [2, 3, -1], data: [{ a: 'c' }, undefined] },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    plural: 'jobs',
    fields: ['status.successful=0', 'status.successful=1'],
    bases: [
      { spec: { template: template({ restartPolicy: 'Never' }, {}) } },
      {
        spec: {
          suspend: true,
          completions: 3,
          parallelism: 2,
          completionMode: 'Indexed',
          template: template({ restartPolicy: 'Never' }, {}),
        },
      },
      { spec: { manualSelector: true, selector, template: template({ restartPolicy: 'OnFailure' }) } },
      {
        spec: {
          completions: 2,
          completionMode: 'Indexed',
          backoffLimitPerIndex: 1,
          maxFailedIndexes: 1,
          successPolicy: { rules: [{ succeededCount: 1 }] },
          podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }] },
          template: template({ restartPolicy: 'Never' }, {}),
        },
      },
    ],
    changes: {
      'spec.suspend': [true, false, undefined],
      'spec.parallelism': [0, 1, 3, -1],
      'spec.completions': [1, 3, 5, undefined],
      'spec.completionMode': ['NonIndexed', 'Indexed'],
      'spec.backoffLimit': [0, 3],
      'spec.backoffLimitPerIndex': [2, undefined],
      'spec.activeDeadlineSeconds': [10, -1, undefined],
      'spec.ttlSecondsAfterFinished': [0, 5, -1],
      'spec.podReplacementPolicy': ['Failed', 'TerminatingOrFailed', 'X'],
      'spec.managedBy': ['x/y', 'kubernetes.io/job-controller', undefined],
      'spec.template.spec.nodeSelector': [{ a: 'b' }, undefined],
      'spec.template.spec.tolerations': [[{ operator: 'Exists' }], undefined],
      'spec.template.spec.schedulingGates': [[{ name: 'a' }], undefined],
      'spec.template.metadata.labels.extra': ['x'],
      'spec.template.metadata.annotations.extra': ['x'],
      'spec.template.spec.containers.0.image': ['b'],
      'spec.template.spec.containers.0.resources': [{ requests: { cpu: '1' } }, undefined],
      'spec.template.spec.restartPolicy': ['Always', 'OnFailure'],
      'spec.selector': [selector, undefined],
    },
    status: {
      'status.active': [0, 1, 2, -1],
      'status.ready': [0, 1, 3],
      'status.succeeded': [0, 1, 3],
      'status.failed': [0, 1],
      'status.terminating': [0, 1],
      'status.startTime': ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z', undefined],
      'status.completionTime': ['2020-01-03T00:00:00Z', '2019-01-03T00:00:00Z', undefined],
      'status.conditions': [
        ...conditions('Complete', 'SuccessCriteriaMet'),
        [{ type: 'Failed', status: 'True' }],
        [
          { type: 'Failed', status: 'True' },
          { type: 'FailureTarget', status: 'True' },
        ],
        [{ type: 'Suspended', status: 'True' }],
        [{ type: 'SuccessCriteriaMet', status: 'True' }],
      ],
      'status.completedIndexes': ['0', '0-2', '2,1', 'x', undefined],
      'status.failedIndexes': ['0', '1', undefined],
      'status.uncountedTerminatedPods': [{ succeeded: ['a'] }, { failed: ['a'], succeeded: ['a'] }, {}, undefined],
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    bases: [
      {
        spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }, {}) } } },
      },
      {
        spec: {
          schedule: '@daily',
          timeZone: 'Europe/Berlin',
          concurrencyPolicy: 'Forbid',
          jobTemplate: { spec: { template: template({ restartPolicy: 'OnFailure' }, {}) } },
        },
      },
    ],
    changes: {
      'spec.schedule': ['*/5 * * * *', '@hourly', 'x', 'TZ=UTC * * * * *', ''],
      'spec.timeZone': ['UTC', 'x/y', '', 'Local', undefined],
      'spec.suspend': [true, undefined],
      'spec.concurrencyPolicy': ['Allow', 'Replace', 'X'],
      'spec.startingDeadlineSeconds': [5, -1, undefined],
      'spec.successfulJobsHistoryLimit': [0, -1],
      'spec.jobTemplate.spec.suspend': [true],
      'spec.jobTemplate.spec.template.spec.containers.0.image': ['b'],
    },
    status: {
      'status.lastScheduleTime': ['2020-01-01T00:00:00Z'],
      'status.active': [[{ kind: 'Job', name: 'j' }], undefined],
      'status.lastSuccessfulTime': ['2020-01-01T00:00:00Z'],
    },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    versions: ['autoscaling/v1'],
    bases: [
      { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } } },
      {
        spec: {
          minReplicas: 2,
          maxReplicas: 5,
          scaleTargetRef: { kind: 'Deployment', name: 'd' },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
            { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1k' } } },
          ],
          behavior: { scaleDown: { stabilizationWindowSeconds: 10 } },
        },
      },
      {
        metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"Pods"}]' } },
        spec: { maxReplicas: 2, scaleTargetRef: { kind: 'RC', name: 'd' } },
      },
    ],
    changes: {
      'spec.minReplicas': [0, 1, 4, undefined],
      'spec.maxReplicas': [1, 10, 0],
      'spec.metrics': [
        [{ type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } }],
        [{ type: 'External', external: { metric: { name: 'e', selector }, target: { type: 'Value', value: '10' } } }],
        [
          {
            type: 'ContainerResource',
            containerResource: { name: 'cpu', container: 'a', target: { type: 'Utilization', averageUtilization: 10 } },
          },
        ],
        [
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Pod', name: 'p' },
              metric: { name: 'm' },
              target: { type: 'Value', value: '1' },
            },
          },
        ],
        [],
        undefined,
      ],
      'spec.targetCPUUtilizationPercentage': [50, 0, undefined],
      'spec.behavior': [
        { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }], selectPolicy: 'Min' } },
        { scaleUp: { tolerance: '0.1' } },
        undefined,
      ],
      'spec.scaleTargetRef.name': ['e', ''],
    },
    status: {
      'status.currentReplicas': [1, -1],
      'status.desiredReplicas': [1, 2],
      'status.conditions': conditions('AbleToScale', 'ScalingActive'),
      'status.currentMetrics': [
        [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 10, averageValue: '100m' } } }],
        undefined,
      ],
      'status.lastScaleTime': ['2020-01-01T00:00:00Z'],
      'status.observedGeneration': [1],
      'status.currentCPUUtilizationPercentage': [5],
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    bases: [
      { spec: { minAvailable: 1, selector } },
      {
        spec: {
          maxUnavailable: '50%',
          selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] },
        },
      },
      { spec: { selector: {} } },
      { spec: { maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    ],
    changes: {
      'spec.minAvailable': [0, 2, '10%', '101%', undefined],
      'spec.maxUnavailable': [0, 1, '0%', undefined],
      'spec.selector': [selector, {}, undefined],
      'spec.unhealthyPodEvictionPolicy': ['IfHealthyBudget', 'AlwaysAllow', 'X', undefined],
    },
    status: {
      'status.disruptionsAllowed': [0, 1, 2, -1],
      'status.currentHealthy': [0, 1, 3],
      'status.desiredHealthy': [0, 1, 2],
      'status.expectedPods': [0, 3],
      'status.observedGeneration': [0, 1, 2, 3],
      'status.disruptedPods': [{ o0: '2020-01-01T00:00:00Z' }, {}, undefined],
      'status.conditions': conditions('DisruptionAllowed'),
    },
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    plural: 'leases',
    bases: [{ spec: { holderIdentity: 'a', leaseDurationSeconds: 10, renewTime: '2020-01-01T00:00:00.000000Z' } }, {}],
    changes: {
      'spec.holderIdentity': ['a', 'b', '', undefined],
      'spec.leaseDurationSeconds': [1, 0, -1, undefined],
      'spec.leaseTransitions': [1, 2, -1],
      'spec.renewTime': ['2020-01-01T00:00:01.000000Z', '2020-01-01T00:00:00Z', 'x', undefined],
      'spec.acquireTime': ['2020-01-01T00:00:01.123456789Z', undefined],
      'spec.preferredHolder': ['b', undefined],
      'spec.strategy': ['OldestEmulationVersion', 'x y', undefined],
    },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    bases: [
      { addressType: 'IPv4', endpoints: [{ addresses: ['1.2.3.4'] }], ports: [{ port: 80 }] },
      { addressType: 'FQDN', endpoints: [{ addresses: ['a.b'] }] },
      {
        addressType: 'IPv6',
        endpoints: [
          {
            addresses: ['fd00::1'],
            conditions: { ready: true },
            hints: { forZones: [{ name: 'z' }] },
            nodeName: 'n',
            zone: 'z',
          },
        ],
      },
    ],
    changes: {
      addressType: ['IPv6', 'IPv4', undefined],
      endpoints: [
        [{ addresses: ['1.2.3.5'] }, { addresses: ['1.2.3.4'] }],
        [{ addresses: ['1.2.3.4'], deprecatedTopology: { a: 'b' } }],
        [{ addresses: ['x'] }],
        [],
        undefined,
      ],
      'endpoints.0.conditions': [{ ready: false, serving: true, terminating: true }, undefined],
      'endpoints.0.hostname': ['h', 'H'],
      ports: [
        [
          { name: 'a', port: 1 },
          { name: 'b', port: 2, protocol: 'UDP', appProtocol: 'x' },
        ],
        [{ name: 'a' }, { name: 'a' }],
        undefined,
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    plural: 'ingresses',
    bases: [
      { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
      {
        spec: {
          ingressClassName: 'c',
          rules: [
            {
              host: 'a.b',
              http: {
                paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'http' } } } }],
              },
            },
          ],
          tls: [{ hosts: ['a.b'], secretName: 't' }],
        },
      },
      { metadata: { annotations: { 'kubernetes.io/ingress.class': 'c' } }, spec: { rules: [{ host: '*.b' }] } },
    ],
    changes: {
      'spec.ingressClassName': ['c', 'd', '', undefined],
      'spec.rules.0.host': ['c.d', '*.c', '1.2.3.4', undefined],
      'spec.rules.0.http': [
        { paths: [{ path: '/a', pathType: 'Exact', backend: { resource: { kind: 'K', name: 'n', apiGroup: 'g' } } }] },
        {
          paths: [
            { path: 'a', pathType: 'ImplementationSpecific', backend: { service: { name: 's', port: { number: 1 } } } },
          ],
        },
        undefined,
      ],
      'spec.defaultBackend': [
        { service: { name: 's', port: { number: 80, name: 'x' } } },
        { resource: { kind: 'K', name: 'n' } },
        undefined,
      ],
      'spec.tls': [[{ hosts: ['x'] }], [{}], undefined],
    },
    status: {
      'status.loadBalancer': [
        { ingress: [{ ip: '1.2.3.4', ports: [{ port: 80, protocol: 'TCP' }] }] },
        { ingress: [{ hostname: 'x' }] },
        { ingress: [{ ip: 'x' }] },
        {},
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    cluster: true,
    bases: [
      { spec: { controller: 'a/b' } },
      { spec: { controller: 'a/b', parameters: { kind: 'K', name: 'n', scope: 'Namespace', namespace: 'x' } } },
    ],
    changes: {
      'spec.controller': ['c/d', ''],
      'spec.parameters': [{ kind: 'K', name: 'n' }, { kind: 'K', name: 'n', scope: 'Namespace' }, undefined],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    bases: [
      { spec: { podSelector: {} } },
      {
        spec: {
          podSelector: selector,
          ingress: [
            { from: [{ ipBlock: { cidr: '1.2.3.0/24', except: ['1.2.3.1/32'] } }], ports: [{ port: 80, endPort: 90 }] },
          ],
          policyTypes: ['Ingress', 'Egress'],
        },
      },
    ],
    changes: {
      'spec.policyTypes': [['Ingress'], ['Egress'], ['X'], undefined],
      'spec.egress': [
        [{ to: [{ podSelector: {} }, { namespaceSelector: selector }] }],
        [{}],
        [{ ports: [{ port: 'x', protocol: 'UDP' }] }],
        undefined,
      ],
      'spec.ingress': [[], [{ from: [{}] }], undefined],
      'spec.podSelector': [{}, { matchExpressions: [{ key: 'a', operator: 'X' }] }],
    },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    plural: 'roles',
    bases: [
      { rules: [{ apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get', 'list', 'watch', 'create'] }] },
      { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
      {
        rules: [
          {
            apiGroups: ['rbac.authorization.k8s.io'],
            resources: ['roles', 'rolebindings'],
            verbs: ['create', 'update', 'patch', 'get', 'bind'],
          },
        ],
      },
      {
        rules: [
          {
            apiGroups: [''],
            resources: ['configmaps'],
            resourceNames: ['o0'],
            verbs: ['get', 'update', 'patch', 'delete'],
          },
          { apiGroups: [''], resources: ['pods/status', 'serviceaccounts'], verbs: ['get', 'impersonate'] },
        ],
      },
    ],
    changes: {
      rules: [
        [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
        [{ apiGroups: ['', 'apps'], resources: ['pods', 'deployments', 'pods/log'], verbs: ['get', 'list'] }],
        [{ nonResourceURLs: ['/x'], verbs: ['get'] }],
        [{ verbs: [] }],
        [],
        undefined,
      ],
      'rules.0.verbs': [['get'], ['get', 'delete', 'deletecollection'], []],
    },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    bases: [
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'o0' },
        subjects: [{ kind: 'User', name: 'alice' }],
      },
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'o1' },
        subjects: [
          { kind: 'Group', name: 'devs' },
          { kind: 'ServiceAccount', name: 'default', namespace: 'NS' },
        ],
      },
      {
        roleRef: { kind: 'ClusterRole', name: 'edit' },
        subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }],
      },
      { roleRef: { kind: 'ClusterRole', name: 'admin' }, subjects: [{ kind: 'User', name: 'bob' }] },
      { roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [{ kind: 'Group', name: 'system:authenticated' }] },
    ],
    changes: {
      subjects: [
        [
          { kind: 'User', name: 'alice' },
          { kind: 'User', name: 'bob' },
        ],
        [{ kind: 'ServiceAccount', name: 'x' }],
        [{ kind: 'X', name: 'x' }],
        [],
        undefined,
      ],
      'roleRef.name': ['o2', 'view', ''],
      'roleRef.kind': ['ClusterRole', 'Role'],
    },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    cluster: true,
    bases: [
      {
        rules: [
          { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
          { nonResourceURLs: ['/metrics', '/x/*'], verbs: ['get'] },
        ],
      },
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { story: 'NS', l: 'a' } }] } },
    ],
    changes: {
      rules: [
        [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }],
        [{ nonResourceURLs: ['*'], verbs: ['*'] }],
        [],
        undefined,
      ],
      aggregationRule: [
        { clusterRoleSelectors: [{ matchLabels: { story: 'NS', l: 'b' } }] },
        { clusterRoleSelectors: [] },
        {},
        undefined,
      ],
    },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    cluster: true,
    bases: [
      {
        roleRef: { kind: 'ClusterRole', name: 'NS-o0' },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'NS' }],
      },
    ],
    changes: {
      subjects: [[], [{ kind: 'User', name: 'NS-user' }], [{ kind: 'ServiceAccount', name: 'default' }]],
      'roleRef.name': ['NS-o1'],
    },
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    cluster: true,
    bases: [
      { value: 10 },
      { value: 1000, preemptionPolicy: 'Never', description: 'd' },
      { value: 2000000001 },
      { value: -5 },
    ],
    changes: {
      value: [10, 20, 1000000001],
      preemptionPolicy: ['Never', 'PreemptLowerPriority', undefined, 'X'],
      description: ['e', undefined],
      globalDefault: [false, undefined],
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    cluster: true,
    bases: [
      { provisioner: 'p/q' },
      {
        provisioner: 'p',
        allowVolumeExpansion: true,
        volumeBindingMode: 'WaitForFirstConsumer',
        parameters: { a: 'b' },
        allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }],
      },
    ],
    changes: {
      provisioner: ['r'],
      reclaimPolicy: ['Retain', 'Delete'],
      parameters: [{ a: 'c' }, undefined],
      allowVolumeExpansion: [true, false, undefined],
      mountOptions: [['a'], undefined],
      volumeBindingMode: ['Immediate', undefined],
      allowedTopologies: [[{ matchLabelExpressions: [{ key: 'a', values: ['c'] }] }], undefined],
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    cluster: true,
    bases: [{ spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } }],
    changes: { 'spec.attacher': ['b'], 'spec.nodeName': ['m'] },
    status: {
      'status.attached': [true, false],
      'status.attachError': [{ message: 'm' }, { message: 'm', errorCode: 5 }, undefined],
      'status.attachmentMetadata': [{ a: 'b' }, undefined],
      'status.detachError': [{ message: 'm', time: '2020-01-01T00:00:00Z' }, undefined],
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    cluster: true,
    bases: [
      { spec: {} },
      {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          tokenRequests: [{ audience: 'a' }],
          volumeLifecycleModes: ['Ephemeral'],
          fsGroupPolicy: 'File',
          storageCapacity: true,
          requiresRepublish: true,
          seLinuxMount: true,
        },
      },
    ],
    changes: {
      'spec.attachRequired': [true, false, undefined],
      'spec.podInfoOnMount': [true, false],
      'spec.tokenRequests': [[{ audience: 'b' }], [{ audience: 'b' }, { audience: 'b' }], undefined],
      'spec.volumeLifecycleModes': [['Persistent'], undefined],
      'spec.fsGroupPolicy': ['None', 'X'],
      'spec.storageCapacity': [true, false],
      'spec.nodeAllocatableUpdatePeriodSeconds': [10, 1, undefined],
      'spec.serviceAccountTokenInSecrets': [true, false, undefined],
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    plural: 'csinodes',
    cluster: true,
    bases: [
      { spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['a'], allocatable: { count: 5 } }] } },
      { spec: { drivers: [] } },
    ],
    changes: {
      'spec.drivers': [
        [{ name: 'd', nodeID: 'm' }],
        [{ name: 'd', nodeID: 'n', topologyKeys: ['a'], allocatable: { count: 6 } }],
        [
          { name: 'd', nodeID: 'n', topologyKeys: ['a'], allocatable: { count: 5 } },
          { name: 'e', nodeID: 'n' },
        ],
        [],
      ],
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    bases: [{ storageClassName: 'x', capacity: '1Gi', nodeTopology: selector }],
    changes: {
      storageClassName: ['y'],
      capacity: ['2Gi', '-1', undefined],
      maximumVolumeSize: ['1Gi', undefined],
      nodeTopology: [{ matchLabels: { app: 'b' } }, undefined],
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    cluster: true,
    bases: [{ driverName: 'd', parameters: { a: 'b' } }],
    changes: { driverName: ['e'], parameters: [{ a: 'c' }, {}, undefined] },
  },
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    cluster: true,
    bases: [
      { handler: 'h' },
      {
        handler: 'h',
        overhead: { podFixed: { cpu: '10m' } },
        scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
      },
    ],
    changes: {
      handler: ['i', 'H'],
      overhead: [{ podFixed: { cpu: '20m' } }, undefined],
      'scheduling.nodeSelector': [{ a: 'c' }, undefined],
    },
  },
  {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    cluster: true,
    fields: ['spec.signerName=example.com/x', 'spec.signerName=kubernetes.io/kube-apiserver-client'],
    bases: [
      { spec: { request: 'CSR', signerName: 'example.com/x', usages: ['digital signature', 'client auth'] } },
      {
        spec: {
          request: 'CSR',
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
          expirationSeconds: 3600,
        },
      },
    ],
    changes: {
      'spec.expirationSeconds': [1000, undefined],
      'spec.usages': [['client auth'], []],
      'spec.signerName': ['example.com/y'],
      'spec.username': ['x'],
      'spec.groups': [['system:masters']],
    },
    status: {
      'status.conditions': [[{ type: 'Failed', status: 'True' }], [{ type: 'Approved', status: 'True' }], undefined],
      'status.certificate': ['YQ==', 'CERT', undefined],
    },
    parts: {
      approval: {
        'status.conditions': [
          [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }],
          [{ type: 'Denied', status: 'True' }],
          [
            { type: 'Approved', status: 'True' },
            { type: 'Denied', status: 'True' },
          ],
          [{ type: 'Approved', status: 'False' }],
          [{ type: 'X', status: 'Unknown' }],
          [
            { type: 'Failed', status: 'True' },
            { type: 'Approved', status: 'True' },
          ],
          [],
          undefined,
        ],
        'status.certificate': ['YQ=='],
        'spec.usages': [['client auth']],
      },
    },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    plural: 'flowschemas',
    cluster: true,
    bases: [
      {
        spec: {
          priorityLevelConfiguration: { name: 'global-default' },
          matchingPrecedence: 9000,
          rules: [
            {
              subjects: [{ kind: 'User', user: { name: 'NS' } }],
              resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['NS'] }],
            },
          ],
        },
      },
      { spec: { priorityLevelConfiguration: { name: 'NS-o0' } } },
    ],
    changes: {
      'spec.matchingPrecedence': [100, 0, 20000, undefined],
      'spec.distinguisherMethod': [{ type: 'ByUser' }, { type: 'X' }, undefined],
      'spec.priorityLevelConfiguration.name': ['exempt', ''],
      'spec.rules': [
        [
          {
            subjects: [{ kind: 'Group', group: { name: 'g' } }],
            nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/x'] }],
          },
        ],
        [{}],
        undefined,
      ],
    },
    status: { 'status.conditions': conditions('Dangling') },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    cluster: true,
    bases: [
      {
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 1,
            limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 2, queueLengthLimit: 5 } },
          },
        },
      },
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
      { spec: { type: 'Exempt' } },
    ],
    changes: {
      'spec.type': ['Exempt', 'Limited', 'X'],
      'spec.limited': [
        { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } },
        { limitResponse: { type: 'Queue' } },
        undefined,
      ],
      'spec.limited.lendablePercent': [50, 101],
      'spec.limited.borrowingLimitPercent': [10, -1],
      'spec.exempt': [{ lendablePercent: 1 }, undefined],
    },
    status: { 'status.conditions': conditions('X') },
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    bases: [
      { spec: {} },
      { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
      {
        spec: {
          devices: {
            requests: [{ name: 'r', firstAvailable: [{ name: 's', deviceClassName: 'c' }] }],
            constraints: [{ requests: ['r'], matchAttribute: 'a/b' }],
            config: [{ opaque: { driver: 'd', parameters: { a: 'b' } } }],
          },
        },
      },
      {
        spec: {
          devices: {
            requests: [
              {
                name: 'r',
                exactly: {
                  deviceClassName: 'c',
                  allocationMode: 'All',
                  selectors: [{ cel: { expression: 'device.driver == "d"' } }],
                },
              },
            ],
          },
        },
      },
    ],
    changes: {
      'spec.devices.requests': [
        [{ name: 'q', exactly: { deviceClassName: 'c', count: 2 } }],
        [{ name: 'r', exactly: { deviceClassName: 'c', adminAccess: true } }],
        [{ name: 'r' }],
        undefined,
      ],
    },
    status: {
      'status.allocation': [
        { devices: { results: [{ request: 'r', driver: 'd', pool: 'p', device: 'v' }] } },
        { devices: { results: [{ request: 'x', driver: 'd', pool: 'p', device: 'v' }] } },
        {
          devices: {},
          nodeSelector: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }],
          },
        },
        undefined,
      ],
      'status.reservedFor': [
        [{ resource: 'pods', name: 'p', uid: 'u' }],
        [
          { resource: 'pods', name: 'p', uid: 'u' },
          { resource: 'pods', name: 'q', uid: 'u' },
        ],
        [],
        undefined,
      ],
      'status.devices': [
        [
          {
            driver: 'd',
            pool: 'p',
            device: 'v',
            data: { a: 1 },
            networkData: { ips: ['1.2.3.4/24'], interfaceName: 'e' },
          },
        ],
        [{ driver: 'd', pool: 'p', device: 'w' }],
        [
          {
            driver: 'd',
            pool: 'p',
            device: 'v',
            conditions: [
              { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' },
            ],
          },
        ],
        undefined,
      ],
    },
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    bases: [
      {
        spec: {
          spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } },
          metadata: { labels: { a: 'b' } },
        },
      },
    ],
    changes: { 'spec.metadata.labels': [{ a: 'c' }], 'spec.spec.devices': [{}, undefined] },
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    cluster: true,
    fields: ['spec.driver=d', 'spec.nodeName=n', 'spec.nodeName='],
    bases: [
      {
        spec: {
          driver: 'd',
          nodeName: 'n',
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          devices: [
            { name: 'v', attributes: { a: { int: 1 }, 'x/b': { string: 's' } }, capacity: { m: { value: '1Gi' } } },
          ],
        },
      },
      { spec: { driver: 'd', allNodes: true, pool: { name: 'p', generation: 1, resourceSliceCount: 1 } } },
    ],
    changes: {
      'spec.pool.generation': [2, 0],
      'spec.driver': ['e'],
      'spec.nodeName': ['m', undefined],
      'spec.devices': [
        [{ name: 'v', taints: [{ key: 'a', effect: 'NoSchedule' }] }],
        [{ name: 'v' }, { name: 'v' }],
        [{ name: 'v', attributes: { a: {} } }],
        undefined,
      ],
      'spec.allNodes': [true, false, undefined],
    },
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    cluster: true,
    bases: [
      { spec: {} },
      {
        spec: {
          selectors: [{ cel: { expression: 'device.driver == "d"' } }],
          config: [{ opaque: { driver: 'd', parameters: {} } }],
        },
      },
    ],
    changes: {
      'spec.selectors': [
        [{ cel: { expression: 'true' } }],
        [{ cel: { expression: 'device.x' } }],
        [{ cel: { expression: '1' } }],
        undefined,
      ],
      'spec.extendedResourceName': ['a.b/c', 'x', undefined],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    cluster: true,
    bases: [
      {
        spec: {
          matchConstraints: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'NS' } },
            resourceRules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
            ],
          },
          validations: [
            { expression: 'has(object.data)', message: 'no data' },
            {
              expression: '!has(object.data) || object.data.size() < 3',
              messageExpression: "'size ' + string(object.data.size())",
            },
          ],
        },
      },
      {
        spec: {
          failurePolicy: 'Ignore',
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: {
            resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['deployments'] }],
          },
          validations: [{ expression: 'params == null || true' }],
          variables: [{ name: 'x', expression: '1' }],
          matchConditions: [{ name: 'm', expression: 'request.namespace == "NS"' }],
          auditAnnotations: [{ key: 'k', valueExpression: "'v'" }],
        },
      },
    ],
    changes: {
      'spec.failurePolicy': ['Fail', 'Ignore', 'X', undefined],
      'spec.validations.0.expression': ['true', 'object.x', '1 +', 'object.metadata.name == "o0"', 'variables.y'],
      'spec.validations.0.reason': ['Forbidden', 'Invalid', 'X'],
      'spec.paramKind': [{ apiVersion: 'v1', kind: 'Secret' }, undefined],
      'spec.matchConstraints.matchPolicy': ['Exact', 'Equivalent'],
    },
    status: {
      'status.typeChecking': [{}, { expressionWarnings: [{ fieldRef: 'a', warning: 'w' }] }, undefined],
      'status.observedGeneration': [1, 2],
      'status.conditions': [
        [{ type: 'A', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' }],
        undefined,
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    cluster: true,
    bases: [
      { spec: { policyName: 'NS-none', validationActions: ['Deny'] } },
      {
        spec: {
          policyName: 'NS-none',
          validationActions: ['Warn', 'Audit'],
          paramRef: { name: 'p', namespace: 'NS', parameterNotFoundAction: 'Deny' },
          matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'NS' } } },
        },
      },
    ],
    changes: {
      'spec.validationActions': [['Audit'], ['Deny', 'Warn'], ['Deny', 'Deny'], []],
      'spec.policyName': ['NS-other', ''],
      'spec.paramRef': [{ name: 'x' }, { selector: {}, parameterNotFoundAction: 'Allow' }, undefined],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    cluster: true,
    bases: [
      {
        spec: {
          matchConstraints: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'NS' } },
            resourceRules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
            ],
          },
          mutations: [
            {
              patchType: 'ApplyConfiguration',
              applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"m": "x"}}}' },
            },
          ],
          reinvocationPolicy: 'Never',
        },
      },
      {
        spec: {
          failurePolicy: 'Fail',
          matchConstraints: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'NS' } },
            resourceRules: [
              { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments/scale'] },
            ],
          },
          mutations: [
            {
              patchType: 'JSONPatch',
              jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a":"b"}}]' },
            },
          ],
          reinvocationPolicy: 'IfNeeded',
        },
      },
    ],
    changes: {
      'spec.reinvocationPolicy': ['IfNeeded', 'Never', 'X'],
      'spec.mutations.0.patchType': ['JSONPatch', 'X'],
      'spec.failurePolicy': ['Ignore', undefined],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    cluster: true,
    bases: [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://127.0.0.1:1' },
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            failurePolicy: 'Ignore',
            namespaceSelector: { matchLabels: { none: 'x' } },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
        ],
      },
      {},
    ],
    changes: {
      'webhooks.0.failurePolicy': ['Fail', undefined],
      'webhooks.0.sideEffects': ['NoneOnDryRun', 'Some'],
      'webhooks.0.matchConditions': [
        [{ name: 'a', expression: 'true' }],
        [{ name: 'a', expression: 'object.x +' }],
        undefined,
      ],
      'webhooks.0.timeoutSeconds': [5, 31],
      'webhooks.0.name': ['d.e.f', 'x'],
      webhooks: [[], undefined],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    cluster: true,
    bases: [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { name: 's', namespace: 'NS' } },
            admissionReviewVersions: ['v1', 'x'],
            sideEffects: 'None',
            failurePolicy: 'Ignore',
            objectSelector: { matchLabels: { none: 'x' } },
            rules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['pods', 'pods/*'],
                scope: 'Namespaced',
              },
            ],
          },
        ],
      },
    ],
    changes: {
      'webhooks.0.reinvocationPolicy': ['IfNeeded', 'X'],
      'webhooks.0.clientConfig.service.port': [80, 0],
      'webhooks.0.clientConfig.caBundle': ['YQ==', undefined],
      'webhooks.0.rules.0.operations': [['*'], ['*', 'CREATE'], ['X']],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    plural: 'servicecidrs',
    cluster: true,
    bases: [{ spec: { cidrs: ['10.77.0.0/24'] } }, { spec: { cidrs: ['fd77::/112'] } }, { spec: { cidrs: ['x'] } }],
    changes: { 'spec.cidrs': [['10.78.0.0/24'], ['10.77.0.0/24', 'fd77::/112']] },
    status: {
      'status.conditions': [
        [{ type: 'Ready', status: 'False', reason: 'R', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' }],
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    plural: 'ipaddresses',
    cluster: true,
    fields: ['parentRef.name=x'],
    bases: [
      { metadata: { name: '1.2.IDX.4' }, spec: { parentRef: { resource: 'services', name: 's', namespace: 'NS' } } },
      { spec: { parentRef: { resource: 'x' } } },
    ],
    changes: { 'spec.parentRef.name': ['t'] },
  },
];
