import type { ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import type { PersistentVolume, PersistentVolumeClaim, Service } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import type { CSINode, StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { resources } from '@kubechain/controllers';
import type { SchedulingStage } from './scheduling-stage.ts';

/** Pods and nodes whose placement is determined: no two nodes are as good. */
export interface SchedulingScenario {
  readonly name: string;
  readonly play: (stage: SchedulingStage) => Promise<unknown>;
}

const wants = (requests: Record<string, string>): object => ({
  containers: [{ name: 'c', image: 'web:1', resources: { requests } }],
});
const web = { labels: { app: 'web' } };
const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const inZone = (name: string): { readonly labels: Record<string, string> } => ({ labels: { [zone]: name } });
const term = (topologyKey: string, app = 'web'): object => ({ labelSelector: { matchLabels: { app } }, topologyKey });
const required = (kind: 'podAffinity' | 'podAntiAffinity', ...terms: readonly object[]): object => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const preferred = (kind: 'podAffinity' | 'podAntiAffinity', podAffinityTerm: object, weight = 100): object => ({
  affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] } },
});
const prefersNode = (weight: number, key: string, value: string): object => ({
  weight,
  preference: { matchExpressions: [{ key, operator: 'In', values: [value] }] },
});
const taint = (key: string, effect: string): object => ({ key, effect, value: 'v' });
const on = (node: string): object => ({ nodeSelector: { [hostname]: node } });
const low = { priorityClassName: 'low' };
const middle = { priorityClassName: 'middle' };
const high = { priorityClassName: 'high' };
const full = wants({ cpu: '4' });

/** A claim and its volume, which belong together. */
async function boundClaim(
  stage: SchedulingStage,
  name: string,
  parts: { readonly spec?: object; readonly claim?: object; readonly labels?: Record<string, string> } = {},
): Promise<void> {
  const volume = `${name}--${stage.namespace}`;
  const modes = { accessModes: ['ReadWriteOnce'] };
  const shared = { ...modes, storageClassName: 'late', ...parts.claim };
  await stage.make(resources.persistentvolumeclaims, {
    metadata: { name, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { ...shared, volumeName: volume, resources: { requests: { storage: '1Gi' } } },
  } as unknown as PersistentVolumeClaim);
  await stage.make(resources.persistentvolumes, {
    metadata: { name: volume, labels: parts.labels ?? {} },
    spec: {
      ...shared,
      capacity: { storage: '1Gi' },
      csi: { driver: 'disks.example.com', volumeHandle: volume },
      claimRef: { name, namespace: stage.namespace },
      ...parts.spec,
    },
  } as unknown as PersistentVolume);
}

const storageClass = (stage: SchedulingStage, name: string, more: object): Promise<StorageClass> =>
  stage.make(resources.storageclasses, { metadata: { name }, ...more } as StorageClass);

const uses = (...claims: readonly string[]): object => ({
  volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});

const budget = (stage: SchedulingStage, disruptionsAllowed: number): Promise<PodDisruptionBudget> =>
  stage.make(
    resources.poddisruptionbudgets,
    {
      metadata: { name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: web.labels } },
    } as unknown as PodDisruptionBudget,
    { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 },
  );

/** Why pods have no node. */
const refusals: readonly SchedulingScenario[] = [
  { name: 'there are no nodes', play: (stage) => stage.pod('p') },
  {
    name: 'what nodes are: cordons, taints, labels',
    play: async (stage) => {
      await stage.node('a', { spec: { unschedulable: true } });
      await stage.node('b', { spec: { taints: [taint('x', 'NoSchedule')] } });
      await stage.node('c', { spec: { taints: [taint('x', 'NoExecute')] } });
      await stage.node('d');
      await stage.pod('p', { nodeSelector: { disk: 'ssd' } });
    },
  },
  {
    name: 'a node by its name, of those that are there and not',
    play: async (stage) => {
      const named = (name: string): object => ({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
            },
          },
        },
      });
      await stage.node('a', { spec: { taints: [taint('x', 'NoSchedule')] } });
      await stage.node('b');
      await stage.node('c');
      await stage.pod('gone', named('z'));
      await stage.pod('tainted', named('a'));
      await stage.pod('free', named('b'));
    },
  },
  {
    name: 'too little: CPU, memory, pods, what nodes have and have not',
    play: async (stage) => {
      await stage.node('a', { status: { allocatable: { cpu: '1', memory: '1Gi', pods: '10' } } });
      await stage.node('b', { status: { allocatable: { cpu: '8', memory: '1Gi', pods: '0' } } });
      await stage.node('c', {
        status: { allocatable: { cpu: '8', memory: '8Gi', pods: '9', 'example.com/gpu': '1' } },
      });
      await stage.pod('both', wants({ cpu: '2', memory: '9Gi' }));
      const gpus = (count: string): object => ({
        containers: [{ name: 'c', image: 'web:1', resources: { limits: { 'example.com/gpu': count } } }],
      });
      await stage.pod('gpus', gpus('2'));
      await stage.pod('one', gpus('1'));
      await stage.pod('another', gpus('1'));
      await stage.pod('disk', wants({ 'ephemeral-storage': '1Gi' }));
    },
  },
  {
    name: 'what init containers, sidecars and the whole pod ask for',
    play: async (stage) => {
      await stage.node('a');
      const each = (name: string, cpu: string, more: object = {}): object => ({
        name,
        image: 'web:1',
        resources: { requests: { cpu } },
        ...more,
      });
      await stage.pod('init', { initContainers: [each('i', '5')], containers: [each('c', '1')] });
      await stage.pod('sidecar', {
        initContainers: [each('s', '3', { restartPolicy: 'Always' })],
        containers: [each('c', '2')],
      });
      await stage.pod('whole', { resources: { requests: { cpu: '5' } }, containers: [each('c', '1')] });
      await stage.pod('fits', { initContainers: [each('i', '4')], containers: [each('c', '1')] });
    },
  },
  {
    name: 'ports of nodes',
    play: async (stage) => {
      const ports = (hostPort: number, more: object = {}): object => ({
        containers: [{ name: 'c', image: 'web:1', ports: [{ containerPort: 80, hostPort, ...more }] }],
      });
      await stage.node('a');
      await stage.pod('first', ports(80));
      await stage.pod('same', ports(80));
      await stage.pod('address', ports(80, { hostIP: '10.0.0.1' }));
      await stage.pod('protocol', ports(80, { protocol: 'UDP' }));
    },
  },
  {
    name: 'pods that would be, or not be, with others',
    play: async (stage) => {
      await stage.node('a', inZone('x'));
      await stage.node('b', inZone('x'));
      await stage.pod('alone', required('podAffinity', term(zone, 'nobody')));
      await stage.pod('first', { ...required('podAffinity', term(hostname)), ...on('a') }, web);
      await stage.pod('second', required('podAffinity', term(hostname)), web);
      await stage.pod('not-here', { ...required('podAffinity', term(hostname)), ...on('b') });
      await stage.pod('keeps-away', required('podAntiAffinity', term(hostname)));
      await stage.pod('nowhere', required('podAntiAffinity', term(zone)));
      await stage.pod('guard', { ...required('podAntiAffinity', term(zone, 'noise')), ...on('a') });
      await stage.pod('kept-away', {}, { labels: { app: 'noise' } });
    },
  },
  {
    name: 'all that a pod would be with at once',
    play: async (stage) => {
      await stage.node('a', inZone('x'));
      await stage.pod('web', {}, web);
      await stage.pod('db', {}, { labels: { tier: 'db' } });
      const tier = { labelSelector: { matchLabels: { tier: 'db' } }, topologyKey: zone };
      await stage.pod('both', required('podAffinity', term(zone), tier));
    },
  },
  {
    name: 'a spread that must be kept',
    play: async (stage) => {
      const spread = (more: object = {}): object => ({
        topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...term(zone), ...more }],
      });
      await stage.node('a', inZone('x'));
      await stage.node('b', inZone('y'));
      await stage.node('c');
      await stage.pod('first', { ...spread(), ...on('a') }, web);
      await stage.pod('not-there', { ...spread({ nodeAffinityPolicy: 'Ignore' }), ...on('a') }, web);
      await stage.pod('other-side', spread(), web);
      await stage.pod('few-domains', spread({ minDomains: 3 }), web);
    },
  },
  {
    name: 'claims that are not there, not bound, and somewhere else',
    play: async (stage) => {
      await stage.node('a', inZone('x'));
      await stage.node('b', inZone('y'));
      await storageClass(stage, 'now', { provisioner: 'disks.example.com' });
      await stage.make(resources.persistentvolumeclaims, {
        metadata: { name: 'unbound' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'now', resources: { requests: { storage: '1Gi' } } },
      } as unknown as PersistentVolumeClaim);
      const local = {
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: hostname, operator: 'In', values: ['b'] }] }] },
        },
      };
      await boundClaim(stage, 'local', { spec: local });
      await boundClaim(stage, 'zoned', { labels: { [zone]: 'y' } });
      await stage.pod('missing', uses('nothing'));
      await stage.pod('waiting', uses('unbound'));
      await stage.pod('local', uses('local'));
      await stage.pod('local-elsewhere', { ...uses('local'), ...on('a') });
      await stage.pod('zoned', uses('zoned'));
      await stage.pod('zoned-elsewhere', { ...uses('zoned'), ...on('a') });
    },
  },
  {
    name: 'volumes that wait for their pod, without any that do',
    play: async (stage) => {
      await stage.node('a');
      await storageClass(stage, 'late', {
        provisioner: 'kubernetes.io/no-provisioner',
        volumeBindingMode: 'WaitForFirstConsumer',
      });
      await stage.make(resources.persistentvolumeclaims, {
        metadata: { name: 'late' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'late', resources: { requests: { storage: '1Gi' } } },
      } as unknown as PersistentVolumeClaim);
      await stage.pod('p', uses('late'));
    },
  },
  {
    name: 'more volumes than a node holds',
    play: async (stage) => {
      await stage.node('a');
      await stage.make(resources.csinodes, {
        metadata: { name: 'a' },
        spec: { drivers: [{ name: 'disks.example.com', nodeID: 'a', allocatable: { count: 2 } }] },
      } as CSINode);
      for (const name of ['one', 'two', 'three']) await boundClaim(stage, name);
      await stage.pod('first', uses('one', 'two'));
      await stage.pod('same', uses('one'));
      await stage.pod('more', uses('three'));
    },
  },
  {
    name: 'a claim for one pod alone',
    play: async (stage) => {
      await stage.node('a');
      await boundClaim(stage, 'own', { claim: { accessModes: ['ReadWriteOncePod'] } });
      await stage.pod('first', uses('own'));
      await stage.pod('second', uses('own'));
    },
  },
  {
    name: 'disks that only one may write to',
    play: async (stage) => {
      const disk = (pdName: string, readOnly: boolean): object => ({
        volumes: [{ name: 'v', gcePersistentDisk: { pdName, readOnly } }],
      });
      await stage.node('a');
      await stage.pod('first', disk('d', false));
      await stage.pod('second', disk('d', true));
      await stage.pod('other', disk('e', true));
    },
  },
  {
    name: 'gates, and a node that becomes free',
    play: async (stage) => {
      await stage.node('a', { spec: { unschedulable: true } });
      await stage.pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] });
      await stage.pod('waits');
      await stage.client.resource(resources.nodes).patch({ name: 'a' }, { spec: { unschedulable: null } });
      await stage.until('waits', ({ spec }) => spec?.nodeName === 'a');
      await stage.client
        .resource(resources.pods)
        .patch({ name: 'gated', namespace: stage.namespace }, { spec: { schedulingGates: null } });
      await stage.until('gated', ({ spec }) => spec?.nodeName === 'a');
    },
  },
];

/** Which of several nodes is chosen. */
const choices: readonly SchedulingScenario[] = [
  {
    name: 'the node with most room',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await stage.pod('there', { ...wants({ cpu: '1', memory: '2Gi' }), ...on('a') });
      await stage.pod('p', wants({ cpu: '1', memory: '1Gi' }));
    },
  },
  {
    name: 'room with assumed requests for pods that have none',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      for (let i = 0; i < 3; i++) await stage.pod(`there-${i}`, on('a'));
      await stage.pod('p');
    },
  },
  {
    name: 'the node that is used more evenly',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await stage.pod('memory', { ...wants({ cpu: '100m', memory: '4Gi' }), ...on('a') });
      await stage.pod('cpu', { ...wants({ cpu: '2', memory: '200Mi' }), ...on('b') });
      await stage.pod('p', wants({ cpu: '1', memory: '10Mi' }));
    },
  },
  {
    name: 'few taints that would rather not, against what the pod prefers',
    play: async (stage) => {
      await stage.node('a', { labels: { disk: 'ssd' }, spec: { taints: [taint('x', 'PreferNoSchedule')] } });
      await stage.node('b');
      const prefers = {
        affinity: {
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [prefersNode(1, 'disk', 'ssd')] },
        },
      };
      await stage.pod('plain');
      await stage.pod('prefers', prefers);
      const tolerations = [{ key: 'x', operator: 'Exists', effect: 'PreferNoSchedule' }];
      await stage.pod('tolerates', { ...prefers, tolerations });
    },
  },
  {
    name: 'the node whose preferred terms weigh most',
    play: async (stage) => {
      await stage.node('a', { labels: { disk: 'ssd' } });
      await stage.node('b', { labels: { disk: 'hdd', cpu: 'fast' } });
      await stage.pod('p', {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              prefersNode(50, 'disk', 'ssd'),
              prefersNode(20, 'disk', 'hdd'),
              prefersNode(31, 'cpu', 'fast'),
            ],
          },
        },
      });
    },
  },
  {
    name: 'near those that it would be with, far from those that it would not',
    play: async (stage) => {
      for (const [name, place] of [
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'z'],
      ] as const)
        await stage.node(name, inZone(place));
      await stage.pod('web', on('a'), web);
      await stage.pod('noise', on('b'), { labels: { app: 'noise' } });
      await stage.pod('near', preferred('podAffinity', term(zone)));
      await stage.pod('far', preferred('podAntiAffinity', term(zone, 'noise')), { labels: { app: 'far' } });
      await stage.pod('wants-company', { ...preferred('podAffinity', term(zone, 'guest')), ...on('c') });
      await stage.pod('guest', {}, { labels: { app: 'guest' } });
    },
  },
  {
    name: 'what pods require that are there',
    play: async (stage) => {
      await stage.node('a', inZone('x'));
      await stage.node('b', inZone('y'));
      await stage.pod('pair', { ...required('podAffinity', term(zone)), ...on('b') }, web);
      await stage.pod('other', {}, web);
    },
  },
  {
    name: 'a spread that the pod asks for',
    play: async (stage) => {
      await stage.node('a', inZone('x'));
      await stage.node('b', inZone('x'));
      await stage.node('c', inZone('y'));
      const spread = {
        topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', ...term(zone) }],
      };
      await stage.pod('first', on('a'), web);
      await stage.pod('second', spread, web);
      await stage.pod('third', { ...spread, ...wants({ cpu: '100m', memory: '200Mi' }) }, web);
    },
  },
  {
    name: 'a spread by name and zone, for pods of a Service and for those of a ReplicaSet',
    play: async (stage) => {
      await stage.node('a', inZone('x'));
      await stage.node('b', inZone('x'));
      await stage.node('c', inZone('y'));
      await stage.make(resources.services, {
        metadata: { name: 'web' },
        spec: { selector: web.labels, ports: [{ port: 80 }] },
      } as unknown as Service);
      const labels = { app: 'set' };
      const set = await stage.make(resources.replicasets, {
        metadata: { name: 'set' },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'web:1' }] } },
        },
      } as unknown as ReplicaSet);
      const ownerReferences = [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: set.metadata?.uid, controller: true },
      ];
      for (const name of ['a', 'b']) await stage.pod(`web-${name}`, on(name), web);
      await stage.pod('web', {}, web);
      await stage.pod('set-c', on('c'), { labels, ownerReferences });
      await stage.pod('set-b', on('b'), { labels, ownerReferences });
      await stage.pod('set', {}, { labels, ownerReferences });
    },
  },
  {
    name: 'where the image is already',
    play: async (stage) => {
      const images = [{ names: ['registry.example.com/large:latest'], sizeBytes: 900 * 1024 * 1024 }];
      await stage.node('a');
      await stage.node('b', { status: { images } });
      await stage.pod('p', { containers: [{ name: 'c', image: 'registry.example.com/large' }] });
    },
  },
];

/** Who has to go for whom. */
const preemptions: readonly SchedulingScenario[] = [
  {
    name: 'the least important goes',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await stage.pod('low', { ...full, ...low, ...on('a') });
      await stage.pod('middle', { ...full, ...middle, ...on('b') });
      await stage.pod('high', { ...full, ...high });
      await stage.until('high', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
  {
    name: 'as few as possible go',
    play: async (stage) => {
      await stage.node('a');
      await stage.pod('small', { ...wants({ cpu: '1' }), ...low });
      await stage.pod('large', { ...wants({ cpu: '3' }), ...middle });
      await stage.pod('high', { ...wants({ cpu: '1' }), ...high });
      await stage.until('high', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
  {
    name: 'nobody goes for one that may not ask for it',
    play: async (stage) => {
      await stage.node('a');
      await stage.pod('low', { ...full, ...low });
      await stage.pod('polite', { ...full, priorityClassName: 'polite' });
    },
  },
  {
    name: 'nobody goes in vain',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b', { spec: { taints: [taint('x', 'NoSchedule')] } });
      await stage.node('c', { status: { allocatable: { cpu: '2', memory: '8Gi', pods: '10' } } });
      await stage.node('d');
      await stage.pod('there', { ...wants({ cpu: '2' }), ...high, ...on('a') });
      await stage.pod('low', { ...wants({ cpu: '1' }), ...low, ...on('a') });
      await stage.pod('as-important', { ...full, ...high, ...on('d') });
      await stage.pod('high', { ...wants({ cpu: '3' }), ...high });
    },
  },
  {
    name: 'budgets are broken last',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await stage.pod('guarded', { ...full, ...low, ...on('a') }, web);
      await stage.pod('middle', { ...full, ...middle, ...on('b') });
      await budget(stage, 0);
      await stage.pod('high', { ...full, ...high });
      await stage.until('high', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
  {
    name: 'budgets are broken where it must be',
    play: async (stage) => {
      await stage.node('a');
      await stage.pod('guarded', { ...full, ...low }, web);
      await budget(stage, 0);
      await stage.pod('high', { ...full, ...high });
      await stage.until('high', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
  {
    name: 'on one node those go that no budget guards',
    play: async (stage) => {
      await stage.node('a');
      await stage.pod('guarded', { ...wants({ cpu: '2' }), ...low }, web);
      await stage.pod('free', { ...wants({ cpu: '2' }), ...middle });
      await budget(stage, 0);
      await stage.pod('high', { ...wants({ cpu: '2' }), ...high });
      await stage.until('high', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
  {
    name: 'what is on its way out is waited for',
    play: async (stage) => {
      await stage.node('a');
      await stage.pod('low', { ...full, ...low }, { finalizers: ['example.com/stays'] });
      await stage.pod('high', { ...full, ...high });
      await stage.until('high', ({ status }) => status?.nominatedNodeName === 'a');
      await stage.until('low', ({ metadata }) => metadata?.deletionTimestamp !== undefined);
    },
  },
  {
    name: 'pods that keep others away go',
    play: async (stage) => {
      await stage.node('a', inZone('x'));
      await stage.pod('low', { ...low, ...required('podAntiAffinity', term(zone)) });
      await stage.pod('high', high, web);
      await stage.until('high', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
];

/** A driver's devices on a node, or wherever `more` says. */
const slice = (stage: SchedulingStage, name: string, devices: readonly object[], more: object): Promise<unknown> =>
  stage.make(resources.resourceslices, {
    metadata: { name },
    spec: { driver: 'gpu.example.com', pool: { name, generation: 1, resourceSliceCount: 1 }, devices, ...more },
  } as unknown as ResourceSlice);

const gpu = (name: string, model = 'small', more: object = {}): object => ({
  name,
  attributes: { model: { string: model }, cores: { int: model === 'small' ? 4 : 16 } },
  capacity: { memory: { value: model === 'small' ? '8Gi' : '80Gi' } },
  ...more,
});

const deviceClass = (stage: SchedulingStage, more: object = {}): Promise<unknown> =>
  stage.make(resources.deviceclasses, {
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }], ...more },
  } as unknown as DeviceClass);

const deviceClaim = (stage: SchedulingStage, name: string, devices: object): Promise<unknown> =>
  stage.make(resources.resourceclaims, { metadata: { name }, spec: { devices } } as unknown as ResourceClaim);

const request = (more: object = {}): object => ({ name: 'r', exactly: { deviceClassName: 'gpu', ...more } });
const selecting = (expression: string): object => ({ selectors: [{ cel: { expression } }] });
const large = selecting('device.attributes["gpu.example.com"].model == "large"');
const has = (...names: readonly string[]): object => ({
  resourceClaims: names.map((name) => ({ name, resourceClaimName: name })),
});

/** Who gets which devices. */
const devices: readonly SchedulingScenario[] = [
  {
    name: 'devices: claims and classes that are not there',
    play: async (stage) => {
      await stage.node('a');
      await deviceClaim(stage, 'classless', { requests: [request()] });
      await stage.undecided('claimless', has('nothing'));
      await stage.pod('classless', has('classless'));
      await stage.undecided('not-made', { resourceClaims: [{ name: 'x', resourceClaimTemplateName: 'nobody' }] });
    },
  },
  {
    name: 'devices: of one node, until there are none left',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await slice(stage, 'of-b', [gpu('one'), gpu('two')], { nodeName: 'b' });
      await deviceClass(stage);
      for (const name of ['first', 'second', 'third']) await deviceClaim(stage, name, { requests: [request()] });
      for (const name of ['first', 'second', 'third']) await stage.pod(name, has(name));
    },
  },
  {
    name: 'devices: by expressions, attributes and capacity',
    play: async (stage) => {
      await stage.node('a');
      await slice(stage, 'of-a', [gpu('small'), gpu('large', 'large'), gpu('other')], { nodeName: 'a' });
      await deviceClass(stage);
      await deviceClaim(stage, 'model', { requests: [request(large)] });
      const memory = 'device.capacity["gpu.example.com"].memory.compareTo(quantity("100Gi")) > 0';
      await deviceClaim(stage, 'memory', { requests: [request(selecting(memory))] });
      await deviceClaim(stage, 'cores', {
        requests: [request(selecting('device.attributes["gpu.example.com"].cores < 8'))],
      });
      for (const name of ['model', 'memory', 'cores']) await stage.pod(name, has(name));
    },
  },
  {
    name: 'devices: several, alike, all of them, and the second best',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await slice(stage, 'of-a', [gpu('a1'), gpu('a2', 'large')], { nodeName: 'a' });
      await slice(stage, 'of-b', [gpu('b1'), gpu('b2')], { nodeName: 'b' });
      await deviceClass(stage);
      const constraints = [{ matchAttribute: 'gpu.example.com/model' }];
      await deviceClaim(stage, 'alike', { requests: [request({ count: 2 })], constraints });
      await deviceClaim(stage, 'best', {
        requests: [
          {
            name: 'r',
            firstAvailable: [
              { name: 'huge', deviceClassName: 'gpu', ...selecting('false') },
              { name: 'large', deviceClassName: 'gpu', ...large },
            ],
          },
        ],
      });
      await deviceClaim(stage, 'all', { requests: [request({ allocationMode: 'All' })] });
      for (const name of ['alike', 'best', 'all']) await stage.pod(name, has(name));
    },
  },
  {
    name: 'devices: a claim that several pods have',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await slice(stage, 'of-a', [gpu('one')], { nodeName: 'a' });
      await deviceClass(stage);
      await deviceClaim(stage, 'shared', { requests: [request()] });
      await stage.pod('first', has('shared'));
      await stage.pod('second', has('shared'));
      await stage.pod('elsewhere', { ...has('shared'), ...on('b') });
    },
  },
  {
    name: 'devices: tainted ones, and what they share',
    play: async (stage) => {
      await stage.node('a');
      await stage.node('b');
      await slice(stage, 'of-a', [gpu('one', 'small', { taints: [taint('broken', 'NoSchedule')] })], { nodeName: 'a' });
      await deviceClass(stage);
      await deviceClaim(stage, 'plain', { requests: [request()] });
      const tolerations = [{ key: 'broken', operator: 'Exists' }];
      await deviceClaim(stage, 'tolerant', { requests: [request({ tolerations })] });
      await stage.pod('plain', has('plain'));
      await stage.pod('tolerant', has('tolerant'));
    },
  },
  {
    name: 'devices: configurations, and devices for all nodes',
    play: async (stage) => {
      await stage.node('a');
      await slice(stage, 'everywhere', [gpu('one')], { allNodes: true });
      const opaque = (parameters: object): object => ({ opaque: { driver: 'gpu.example.com', parameters } });
      await deviceClass(stage, { config: [opaque({ of: 'class' })] });
      await deviceClaim(stage, 'c', {
        requests: [request({ adminAccess: false })],
        config: [{ requests: ['r'], ...opaque({ of: 'claim' }) }],
      });
      await stage.pod('p', has('c'));
    },
  },
  {
    name: 'devices: one that several claims have, by what they take of it',
    play: async (stage) => {
      await stage.node('a');
      const requestPolicy = { default: '1Gi', validRange: { min: '1Gi', step: '2Gi' } };
      const capacity = { memory: { value: '10Gi', requestPolicy } };
      const shared = { allowMultipleAllocations: true, capacity };
      await slice(stage, 'of-a', [gpu('one', 'small', shared)], { nodeName: 'a' });
      await deviceClass(stage);
      const taking = (memory?: string): object =>
        request(memory === undefined ? {} : { capacity: { requests: { memory } } });
      for (const [name, memory] of [
        ['first', '4Gi'],
        ['second', '2Gi'],
        ['third', undefined],
        ['fourth', '3Gi'],
      ] as const) {
        await deviceClaim(stage, name, { requests: [taking(memory)] });
        await stage.pod(name, has(name));
      }
      await deviceClaim(stage, 'odd', { requests: [request({ capacity: { requests: { cores: '1' } } })] });
      await stage.pod('odd', has('odd'));
    },
  },
  {
    name: 'devices: behind extended resources',
    play: async (stage) => {
      const status = { allocatable: { cpu: '4', memory: '8Gi', pods: '10', 'example.com/gpu': '1' } };
      await stage.node('a', { status });
      await stage.node('b');
      await slice(stage, 'of-b', [gpu('one'), gpu('two'), gpu('three')], { nodeName: 'b' });
      await deviceClass(stage, { extendedResourceName: 'example.com/gpu' });
      const asks = (count: string, name = 'example.com/gpu'): object => ({
        resources: { requests: { [name]: count }, limits: { [name]: count } },
      });
      const container = (name: string, more: object): object => ({ name, image: 'web:1', ...more });
      await stage.pod('own', { ...on('a'), containers: [container('c', asks('1'))] });
      await stage.pod('behind', {
        ...on('b'),
        initContainers: [container('i', asks('1'))],
        containers: [container('c', asks('1')), container('d', asks('1'))],
      });
      await stage.pod('implicit', {
        containers: [container('c', asks('1', 'deviceclass.resource.kubernetes.io/gpu'))],
      });
      await stage.pod('too-many', { containers: [container('c', asks('2'))] });
    },
  },
  {
    name: 'devices: that have to be made ready',
    play: async (stage) => {
      await stage.node('a');
      const conditions = { bindsToNode: true, bindingConditions: ['ready'], bindingFailureConditions: ['broken'] };
      await slice(stage, 'everywhere', [gpu('one', 'small', conditions)], { allNodes: true });
      await deviceClass(stage);
      await deviceClaim(stage, 'c', { requests: [request()] });
      await stage.undecided('p', has('c'));
      await stage.claimUntil('c', ({ status }) => status?.allocation !== undefined);
      await stage.told('p', 'BindingConditionsPending');
      await stage.tellOfDevice('c', { type: 'ready', status: 'True', reason: 'Ready', message: 'it is' });
      await stage.until('p', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
  {
    name: 'devices: that cannot be made ready',
    play: async (stage) => {
      await stage.node('a');
      const conditions = { bindingConditions: ['ready'], bindingFailureConditions: ['broken'] };
      await slice(stage, 'of-a', [gpu('one', 'small', conditions)], { nodeName: 'a' });
      await deviceClass(stage);
      await deviceClaim(stage, 'c', { requests: [request()] });
      await stage.undecided('p', has('c'));
      await stage.told('p', 'BindingConditionsPending');
      await stage.tellOfDevice('c', { type: 'broken', status: 'True', reason: 'Smoke', message: 'it burns' });
      await stage.told('p', 'FailedScheduling');
      await stage.claimUntil(
        'c',
        ({ status }) => status?.allocation !== undefined && (status.devices ?? []).length === 0,
      );
      await stage.tellOfDevice('c', { type: 'ready', status: 'True', reason: 'Ready', message: 'it is' });
      await stage.until('p', ({ spec }) => (spec?.nodeName ?? '') !== '');
    },
  },
];

/** What nodes must be able to do. */
const features: readonly SchedulingScenario[] = [
  {
    name: 'features: that a node has not declared',
    play: async (stage) => {
      await stage.node('a');
      const rule = { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } };
      const spec = {
        restartPolicy: 'Always',
        containers: [{ name: 'c', image: 'web:1', restartPolicy: 'Never', restartPolicyRules: [rule] }],
      };
      await stage.node('b', { status: { declaredFeatures: ['RestartAllContainersOnContainerExits'] } });
      await stage.pod('nowhere', { ...spec, ...on('a') });
      await stage.pod('placed', spec);
    },
  },
];

export const schedulingScenarios: readonly SchedulingScenario[] = [
  ...refusals,
  ...choices,
  ...preemptions,
  ...devices,
  ...features,
];

/** How important pods are; there once for all scenarios. */
export const priorityClasses: readonly object[] = [
  { metadata: { name: 'low' }, value: 10 },
  { metadata: { name: 'middle' }, value: 100 },
  { metadata: { name: 'high' }, value: 1_000 },
  { metadata: { name: 'polite' }, value: 1_000, preemptionPolicy: 'Never' },
];
