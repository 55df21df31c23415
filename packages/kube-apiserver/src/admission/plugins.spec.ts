import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@kubechain/apiserver/resources';
import { plainObjects } from '@kubechain/apiserver/resources';
import { creationOf } from '@kubechain/apiserver/testing';
import { expect } from 'chai';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import { DefaultTolerationSeconds } from './default-toleration-seconds.ts';
import { checkLookedUp } from './object-lookup.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { LimitRanger } from './limit-ranger.ts';
import { PersistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { PodTopologyLabels } from './pod-topology-labels.ts';
import { Priority } from './priority.ts';
import { RuntimeClass } from './runtime-class.ts';
import { ServiceAccount } from './service-account/service-account.ts';
import { StorageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { TaintNodesByCondition } from './taint-nodes-by-condition.ts';

const lookup = (...objects: KubeObject[]): ObjectLookup => ({
  get: async (name, namespace) => {
    checkLookedUp(name);
    return await Promise.resolve(
      objects.find(
        ({ metadata }) => metadata?.name === name && (namespace === undefined || metadata.namespace === namespace),
      ),
    );
  },
  list: (namespace) =>
    Promise.resolve(objects.filter(({ metadata }) => namespace === undefined || metadata?.namespace === namespace)),
});

const resources: Readonly<Record<string, readonly [group: string, resource: string]>> = {
  Pod: ['', 'pods'],
  Node: ['', 'nodes'],
  PersistentVolumeClaim: ['', 'persistentvolumeclaims'],
  PriorityClass: ['scheduling.k8s.io', 'priorityclasses'],
  Ingress: ['networking.k8s.io', 'ingresses'],
};

function attributesOf(object: KubeObject, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const [group = '', resource = ''] = resources[object.kind ?? ''] ?? [];
  return creationOf({
    kind: { group, version: 'v1', kind: object.kind ?? '' },
    resource: { group, version: 'v1', resource },
    object,
    ...more,
  });
}

const tolerations = new DefaultTolerationSeconds({ notReadySeconds: 300, unreachableSeconds: 7 });
const notReady = {
  key: 'node.kubernetes.io/not-ready',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
};
const unreachable = {
  key: 'node.kubernetes.io/unreachable',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 7,
};
const priority = new Priority(
  lookup(
    { metadata: { name: 'high' }, value: 100, preemptionPolicy: 'Never' },
    { metadata: { name: 'usual' }, value: 5, globalDefault: true },
    { metadata: { name: 'low' }, value: 3, globalDefault: true },
  ),
);
const accounts = new ServiceAccount({
  accounts: lookup(
    { metadata: { name: 'default', namespace: 'ns' }, imagePullSecrets: [{ name: 'pull' }] },
    {
      metadata: { name: 'strict', namespace: 'ns', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
      automountServiceAccountToken: false,
    },
  ),
  random: () => 0,
  sleep: () => Promise.resolve(),
});
const storage = defaultStorageClass(
  lookup(
    {
      metadata: {
        name: 'old',
        creationTimestamp: '2020-01-01T00:00:00Z',
        annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
      },
    },
    {
      metadata: {
        name: 'new',
        creationTimestamp: '2021-01-01T00:00:00Z',
        annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' },
      },
    },
  ),
);
const ranger = new LimitRanger(
  lookup({
    metadata: { name: 'r', namespace: 'ns' },
    spec: {
      limits: [
        {
          type: 'Container',
          min: { cpu: '100m' },
          max: { cpu: '1' },
          default: { cpu: '1' },
          defaultRequest: { cpu: '500m' },
          maxLimitRequestRatio: { cpu: '2' },
        },
        { type: 'Pod', max: { cpu: '1500m' } },
        { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
      ],
    },
  }),
);
const runtimes = new RuntimeClass(
  lookup({
    metadata: { name: 'vm' },
    handler: 'vm',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
  }),
);
const topology = new PodTopologyLabels(
  lookup(
    {
      metadata: {
        name: 'n1',
        labels: { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', other: 'x' },
      },
    },
    { metadata: { name: 'bare' } },
  ),
  { enabled: true },
);
const container = (cpu?: readonly [request: string, limit: string]): object => ({
  name: 'c',
  ...(cpu === undefined ? {} : { resources: { requests: { cpu: cpu[0] }, limits: { cpu: cpu[1] } } }),
});
const claim = (storage: string): object => ({ resources: { requests: { storage } } });
const resize = new PersistentVolumeClaimResize(
  lookup({ metadata: { name: 'elastic' }, allowVolumeExpansion: true }, { metadata: { name: 'rigid' } }),
);
const token = {
  name: 'kube-api-access-bbbbb',
  projected: {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
};

interface Row {
  readonly name: string;
  readonly plugin: AdmissionPlugin;
  readonly kind: string;
  readonly given: Record<string, unknown>;
  readonly expected: Record<string, unknown>;
}

const rows: readonly Row[] = [
  {
    name: 'a pod without tolerations',
    plugin: tolerations,
    kind: 'Pod',
    given: { spec: {} },
    expected: { spec: { tolerations: [notReady, unreachable] } },
  },
  {
    name: 'a pod that tolerates one taint',
    plugin: tolerations,
    kind: 'Pod',
    given: { spec: { tolerations: [{ key: notReady.key }] } },
    expected: { spec: { tolerations: [{ key: notReady.key }, unreachable] } },
  },
  {
    name: 'a pod that tolerates everything',
    plugin: tolerations,
    kind: 'Pod',
    given: { spec: { tolerations: [{ operator: 'Exists' }] } },
    expected: { spec: { tolerations: [{ operator: 'Exists' }] } },
  },
  {
    name: 'a priority class',
    plugin: priority,
    kind: 'Pod',
    given: { spec: { priorityClassName: 'high' } },
    expected: { spec: { priorityClassName: 'high', priority: 100, preemptionPolicy: 'Never' } },
  },
  {
    name: 'the lowest default class',
    plugin: priority,
    kind: 'Pod',
    given: { spec: {} },
    expected: { spec: { priorityClassName: 'low', priority: 3 } },
  },
  {
    name: 'no classes',
    plugin: new Priority(lookup()),
    kind: 'Pod',
    given: { spec: {} },
    expected: { spec: { priority: 0, preemptionPolicy: 'PreemptLowerPriority' } },
  },
  {
    name: 'the default account, with its token and pull secrets',
    plugin: accounts,
    kind: 'Pod',
    given: { spec: { containers: [{ name: 'c' }] } },
    expected: {
      spec: {
        serviceAccountName: 'default',
        serviceAccount: 'default',
        imagePullSecrets: [{ name: 'pull' }],
        volumes: [token],
        containers: [
          {
            name: 'c',
            volumeMounts: [
              { name: token.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
            ],
          },
        ],
      },
    },
  },
  {
    name: 'an account that mounts nothing',
    plugin: accounts,
    kind: 'Pod',
    given: { spec: { serviceAccountName: 'strict' } },
    expected: { spec: { serviceAccountName: 'strict', serviceAccount: 'strict' } },
  },
  {
    name: 'a claim',
    plugin: new StorageObjectInUseProtection(),
    kind: 'PersistentVolumeClaim',
    given: { metadata: { finalizers: ['a/b'] } },
    expected: { metadata: { finalizers: ['a/b', 'kubernetes.io/pvc-protection'] } },
  },
  {
    name: 'a node',
    plugin: new TaintNodesByCondition(),
    kind: 'Node',
    given: {},
    expected: { spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } },
  },
  {
    name: 'the newest default storage class',
    plugin: storage,
    kind: 'PersistentVolumeClaim',
    given: { spec: {} },
    expected: { spec: { storageClassName: 'new' } },
  },
  {
    name: 'a claim for no class',
    plugin: storage,
    kind: 'PersistentVolumeClaim',
    given: { spec: { storageClassName: '' } },
    expected: { spec: { storageClassName: '' } },
  },
  {
    name: 'defaults of containers, which it notes',
    plugin: ranger,
    kind: 'Pod',
    given: { metadata: {}, spec: { containers: [container()] } },
    expected: {
      metadata: {
        annotations: {
          'kubernetes.io/limit-ranger':
            'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
        },
      },
      spec: { containers: [container(['500m', '1'])] },
    },
  },
  {
    name: 'a runtime class',
    plugin: runtimes,
    kind: 'Pod',
    given: { spec: { runtimeClassName: 'vm', tolerations: [{ key: 'vm', operator: 'Equal', value: 'x' }] } },
    expected: {
      spec: {
        runtimeClassName: 'vm',
        overhead: { cpu: '100m' },
        nodeSelector: { vm: 'yes' },
        tolerations: [{ key: 'vm', operator: 'Exists' }],
      },
    },
  },
  {
    name: 'zone and region of its node',
    plugin: topology,
    kind: 'Pod',
    given: { metadata: { labels: { 'topology.kubernetes.io/zone': 'own', a: 'b' } }, spec: { nodeName: 'n1' } },
    expected: {
      metadata: { labels: { a: 'b', 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r' } },
      spec: { nodeName: 'n1' },
    },
  },
  {
    name: 'nothing of a node without topology',
    plugin: topology,
    kind: 'Pod',
    given: { spec: { nodeName: 'bare' } },
    expected: { spec: { nodeName: 'bare' } },
  },
  {
    name: 'nothing of a node that is not there',
    plugin: topology,
    kind: 'Pod',
    given: { spec: { nodeName: 'n2' } },
    expected: { spec: { nodeName: 'n2' } },
  },
  {
    name: 'nothing of what cannot be a node',
    plugin: topology,
    kind: 'Pod',
    given: { spec: { nodeName: '10.0.0.0/8' } },
    expected: { spec: { nodeName: '10.0.0.0/8' } },
  },
  {
    name: 'requests of the pod that follow from those of containers',
    plugin: ranger,
    kind: 'Pod',
    given: { metadata: {}, spec: { containers: [container(['500m', '1'])], resources: { limits: { memory: '1Gi' } } } },
    expected: {
      spec: {
        containers: [container(['500m', '1'])],
        resources: { limits: { memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
      },
    },
  },
  {
    name: 'no default ingress class',
    plugin: defaultIngressClass(lookup({ metadata: { name: 'x' } })),
    kind: 'Ingress',
    given: { spec: {} },
    expected: { spec: {} },
  },
];

interface Refusal {
  readonly name: string;
  readonly plugin: AdmissionPlugin;
  readonly object: KubeObject;
  readonly message: string;
}

const refusals: readonly Refusal[] = [
  {
    name: 'an unknown priority class',
    plugin: priority,
    object: { kind: 'Pod', spec: { priorityClassName: 'no' } },
    message: 'pods "x" is forbidden: no PriorityClass with name no was found',
  },
  {
    name: 'another priority than the class has',
    plugin: priority,
    object: { kind: 'Pod', spec: { priorityClassName: 'high', priority: 1 } },
    message:
      'pods "x" is forbidden: the integer value of priority (1) must not be provided in pod spec; priority ' +
      'admission controller computed 100 from the given PriorityClass name',
  },
  {
    name: 'a second default class',
    plugin: priority,
    object: { kind: 'PriorityClass', globalDefault: true },
    message:
      'priorityclasses.scheduling.k8s.io "x" is forbidden: PriorityClass low is already marked as default. ' +
      'Only one default can exist',
  },
  {
    name: 'an account of no possible name',
    plugin: accounts,
    object: { kind: 'Pod', spec: { serviceAccountName: 'a/b' } },
    message:
      'pods "x" is forbidden: error looking up service account ns/a/b: invalid resource name "a/b": [may not ' +
      `contain '/']`,
  },
  {
    name: 'a priority class of no possible name',
    plugin: priority,
    object: { kind: 'Pod', spec: { priorityClassName: 'a/b' } },
    message: 'pods "x" is forbidden: no PriorityClass with name a/b was found',
  },
  {
    name: 'a runtime class of no name',
    plugin: runtimes,
    object: { kind: 'Pod', spec: { runtimeClassName: '' } },
    message: 'resource name may not be empty',
  },
  {
    name: 'an unknown account',
    plugin: accounts,
    object: { kind: 'Pod', spec: { serviceAccountName: 'no' } },
    message: 'pods "x" is forbidden: error looking up service account ns/no: serviceaccount "no" not found',
  },
  {
    name: 'a secret that the account does not list',
    plugin: accounts,
    object: {
      kind: 'Pod',
      spec: { serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName: 's' } }] },
    },
    message:
      'pods "x" is forbidden: volume with secret.secretName="s" is not allowed because service account strict ' +
      'does not reference that secret',
  },
  {
    name: 'containers beyond their limits',
    plugin: ranger,
    object: { kind: 'Pod', spec: { containers: [container(['10m', '4'])] } },
    message:
      'pods "x" is forbidden: [minimum cpu usage per Container is 100m, but request is 10m, maximum cpu usage ' +
      'per Container is 1, but limit is 4, cpu max limit to request ratio per Container is 2, but provided ' +
      'ratio is 400.000000, maximum cpu usage per Pod is 1500m, but limit is 4]',
  },
  {
    name: 'containers that are too much together',
    plugin: ranger,
    object: { kind: 'Pod', spec: { containers: [container(['1', '1']), container(['1', '1'])] } },
    message: 'pods "x" is forbidden: maximum cpu usage per Pod is 1500m, but limit is 2',
  },
  {
    name: 'a claim that is too large',
    plugin: ranger,
    object: { kind: 'PersistentVolumeClaim', spec: claim('10Gi') },
    message:
      'persistentvolumeclaims "x" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but ' +
      'request is 10Gi',
  },
  {
    name: 'an unknown runtime class',
    plugin: runtimes,
    object: { kind: 'Pod', spec: { runtimeClassName: 'no' } },
    message: 'pods "x" is forbidden: pod rejected: RuntimeClass "no" not found',
  },
  {
    name: 'another overhead',
    plugin: runtimes,
    object: { kind: 'Pod', spec: { runtimeClassName: 'vm', overhead: { cpu: '1' } } },
    message: "pods \"x\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  },
  {
    name: 'an overhead of no class',
    plugin: runtimes,
    object: { kind: 'Pod', spec: { overhead: { cpu: '1' } } },
    message:
      'pods "x" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  },
  {
    name: 'another node selector',
    plugin: runtimes,
    object: { kind: 'Pod', spec: { runtimeClassName: 'vm', nodeSelector: { vm: 'no' } } },
    message:
      'pods "x" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
  },
  {
    name: 'a mirror pod with an account',
    plugin: accounts,
    object: {
      kind: 'Pod',
      metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
      spec: { serviceAccountName: 'default' },
    },
    message: 'pods "x" is forbidden: a mirror pod may not reference service accounts',
  },
];

describe('admission plugins of built-in resources', () => {
  for (const { expected, given, kind, name, plugin } of rows) {
    it(`${plugin.name}: ${name}`, async () => {
      const object = { kind, ...structuredClone(given) };
      await plugin.admit?.(attributesOf(object));
      expect(object).to.deep.equal({
        kind,
        ...('metadata' in given ? { metadata: given['metadata'] } : {}),
        ...expected,
      });
    });
  }

  for (const { message, name, object, plugin } of refusals) {
    it(`${plugin.name} refuses ${name}`, async () => {
      const attributes = attributesOf(structuredClone(object));
      let refused: unknown;
      try {
        await plugin.admit?.(attributes);
        await plugin.validate?.(attributes);
      } catch (error) {
        refused = error;
      }
      expect((refused as Error | undefined)?.message).to.equal(message);
    });
  }

  it('PodTopologyLabels: labels bindings, from which pods get them', async () => {
    const binding = { kind: 'Binding', metadata: { name: 'x' }, target: { kind: 'Node', name: 'n1' } } as KubeObject;
    await topology.admit(
      attributesOf(binding, { resource: { group: '', version: 'v1', resource: 'pods' }, subresource: 'binding' }),
    );
    expect(binding.metadata?.labels).to.deep.equal({
      'topology.kubernetes.io/zone': 'z',
      'topology.kubernetes.io/region': 'r',
    });
  });

  it('PodTopologyLabels: does nothing where its feature gate is off', () => {
    const off = new PodTopologyLabels(lookup(), { enabled: false });
    expect([off.handles('CREATE'), topology.handles('CREATE')]).to.deep.equal([false, true]);
  });

  const growths: readonly (readonly [name: string, before: object, after: object, allowed: string])[] = [
    [
      'a bound claim of an elastic class',
      { spec: { ...claim('1Gi'), storageClassName: 'elastic' }, status: { phase: 'Bound' } },
      { spec: { ...claim('2Gi'), storageClassName: 'elastic' } },
      'allowed',
    ],
    ['a claim that does not grow', { spec: claim('2Gi') }, { spec: claim('2048Mi') }, 'allowed'],
    [
      'a claim that is not bound',
      { spec: { ...claim('1Gi'), storageClassName: 'elastic' } },
      { spec: { ...claim('2Gi'), storageClassName: 'elastic' } },
      'persistentvolumeclaims "x" is forbidden: Only bound persistent volume claims can be expanded',
    ],
    [
      'a claim of a rigid class',
      { spec: { ...claim('1Gi'), storageClassName: 'rigid' }, status: { phase: 'Bound' } },
      { spec: { ...claim('2Gi'), storageClassName: 'rigid' } },
      'persistentvolumeclaims "x" is forbidden: only dynamically provisioned pvc can be resized and the ' +
        'storageclass that provisions the pvc must support resize',
    ],
  ];
  for (const [name, before, after, allowed] of growths) {
    it(`PersistentVolumeClaimResize: ${name}`, async () => {
      const kind = 'PersistentVolumeClaim';
      const outcome = await resize
        .validate(attributesOf({ kind, ...after }, { operation: 'UPDATE', oldObject: { kind, ...before } }))
        .then(
          () => 'allowed',
          (error: unknown) => (error as Error).message,
        );
      expect(outcome).to.equal(allowed);
    });
  }

  it('Priority keeps what an update leaves out', async () => {
    const pod: KubeObject = { kind: 'Pod', spec: {} };
    await priority.admit?.(
      attributesOf(pod, { operation: 'UPDATE', oldObject: { kind: 'Pod', spec: { priority: 4 } } }),
    );
    expect(pod['spec']).to.deep.equal({ priority: 4 });
  });

  it('LimitRanger gives no pod more values than a body may have, and lets others be served meanwhile', async () => {
    let rests = 0;
    const objects = {
      ...plainObjects,
      rest: () => {
        rests++;
        return Promise.resolve();
      },
    };
    const containers = Array.from({ length: 100 }, (_, i) => ({ name: `c${i}`, image: 'i' }));
    const of = (names: number): LimitRanger =>
      new LimitRanger(
        lookup({
          metadata: { name: 'r', namespace: 'ns' },
          spec: {
            limits: [
              {
                type: 'Container',
                max: { cpu: '1' },
                default: Object.fromEntries(Array.from({ length: names }, (_, i) => [`a.b/r${i}`, '1'])),
              },
            ],
          },
        } as KubeObject),
      );
    const pod = (): KubeObject => ({ kind: 'Pod', metadata: {}, spec: { containers: structuredClone(containers) } });
    const refused = await of(4_000)
      .admit(attributesOf(pod(), { objects }))
      .then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
    expect(refused).to.equal('Request entity too large: limit is 250000 values');
    const whole = pod();
    await of(10).admit(attributesOf(whole, { objects }));
    rests = 0;
    const outcome = await of(10)
      .validate(attributesOf(whole, { objects }))
      .then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
    expect(outcome).to.equal('pods "x" is forbidden: maximum cpu usage per Container is 1.  No limit is specified');
    expect(rests).to.equal(containers.length);
  });
});
