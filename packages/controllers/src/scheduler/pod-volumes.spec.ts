import { expect } from 'chai';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { CSINode, StorageClass, VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { NodeInfo } from './node-info.ts';
import { isRefusal, PodVolumes, type VolumeView } from './pod-volumes.ts';

const node = (name: string, labels: Record<string, string> = {}): Node => ({ metadata: { name, labels } });
const pod: Pod = {
  metadata: { namespace: 'n', name: 'p', uid: 'p' },
  spec: { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
};
const claim = (spec: object, more: object = {}): PersistentVolumeClaim =>
  ({
    metadata: { namespace: 'n', name: 'c', uid: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    ...more,
  }) as PersistentVolumeClaim;
const volume = (name: string, spec: object = {}, labels: Record<string, string> = {}): PersistentVolume =>
  ({
    metadata: { name, labels },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, storageClassName: 'late', ...spec },
    status: { phase: 'Available' },
  }) as PersistentVolume;
const on = (name: string): object => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: [name] }] }] },
  },
});
const classes: Record<string, Partial<StorageClass>> = {
  late: { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' },
  made: { provisioner: 'x.example.com', volumeBindingMode: 'WaitForFirstConsumer' },
  zoned: {
    provisioner: 'x.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
  },
  now: { provisioner: 'x.example.com', volumeBindingMode: 'Immediate' },
};
const volumesOf = (
  asked: PersistentVolumeClaim | undefined,
  volumes: readonly PersistentVolume[] = [],
  more: Partial<VolumeView> = {},
): PodVolumes =>
  new PodVolumes(pod, {
    claim: () => asked,
    volume: (name) => volumes.find(({ metadata }) => metadata?.name === name),
    volumesFor: () => volumes,
    classOf: (name) => classes[name] as StorageClass | undefined,
    taken: new Set(),
    isUsedByOther: () => false,
    csiNode: () => undefined,
    attachedTo: () => [],
    ...more,
  });
const bound = { metadata: { namespace: 'n', name: 'c', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } } };

describe("what a pod's claims say", () => {
  const problems: readonly (readonly [string, PersistentVolumeClaim | undefined, string | undefined])[] = [
    ['a claim that is not there', undefined, 'persistentvolumeclaim "c" not found'],
    [
      'one whose volume is lost',
      claim({ volumeName: 'v' }, { status: { phase: 'Lost' } }),
      'persistentvolumeclaim "c" bound to non-existent persistentvolume "v"',
    ],
    ['one that is not bound', claim({ storageClassName: 'now' }), 'pod has unbound immediate PersistentVolumeClaims'],
    ['one that waits for a pod', claim({ storageClassName: 'late' }), undefined],
  ];
  for (const [name, asked, expected] of problems)
    it(`of all nodes: ${name}`, () => expect(volumesOf(asked).problem).to.equal(expected));

  const refusals: readonly (readonly [string, PodVolumes, Node, readonly string[] | undefined])[] = [
    [
      'a bound volume that is elsewhere',
      volumesOf(claim({ volumeName: 'v' }, bound), [volume('v', on('b'))]),
      node('a', { disk: 'a' }),
      ["node(s) didn't match PersistentVolume's node affinity"],
    ],
    [
      'one that is here',
      volumesOf(claim({ volumeName: 'v' }, bound), [volume('v', on('a'))]),
      node('a', { disk: 'a' }),
      undefined,
    ],
    [
      'one in another zone',
      volumesOf(claim({ volumeName: 'v' }, bound), [volume('v', {}, { 'topology.kubernetes.io/zone': 'a__b' })]),
      node('n', { 'topology.kubernetes.io/zone': 'c' }),
      ['node(s) had no available volume zone'],
    ],
    [
      'one that is not there',
      volumesOf(claim({ volumeName: 'v' }, bound)),
      node('a'),
      ['node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'],
    ],
    [
      'nothing to bind here',
      volumesOf(claim({ storageClassName: 'late' }), [volume('v', on('b'))]),
      node('a', { disk: 'a' }),
      ["node(s) didn't find available persistent volumes to bind"],
    ],
    [
      'what another pod is about to get',
      volumesOf(claim({ storageClassName: 'late' }), [volume('v')], { taken: new Set(['v']) }),
      node('a'),
      ["node(s) didn't find available persistent volumes to bind"],
    ],
    [
      'a provisioner that does not reach',
      volumesOf(claim({ storageClassName: 'zoned' })),
      node('a', { zone: 'b' }),
      ["node(s) didn't find available persistent volumes to bind"],
    ],
  ];
  for (const [name, volumes, at, expected] of refusals)
    it(`of one node: ${name}`, () => {
      const plan = volumes.planFor(at);
      expect(isRefusal(plan) ? plan : undefined).to.deep.equal(expected);
    });
  it('of nodes as long as another pod has a claim for one pod alone', () => {
    const alone = claim({ volumeName: 'v', accessModes: ['ReadWriteOncePod'] }, bound);
    const volumes = volumesOf(alone, [volume('v')], { isUsedByOther: () => true });
    expect(volumes.crowding(new NodeInfo(node('a')))).to.equal(
      'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by ' +
        'another pod',
    );
  });
  it('plans the smallest volume that does, or one to be made', () => {
    const large = volume('large', { capacity: { storage: '5Gi' } });
    const plan = volumesOf(claim({ storageClassName: 'late' }), [large, volume('small')]).planFor(node('a'));
    expect(isRefusal(plan) ? [] : plan.bindings.map((each) => each.volume.metadata?.name)).to.deep.equal(['small']);
    const made = volumesOf(claim({ storageClassName: 'made' })).planFor(node('a'));
    expect(isRefusal(made) ? [] : made.provisions.map(({ metadata }) => metadata?.name)).to.deep.equal(['c']);
  });
});

describe('what a node holds of volumes', () => {
  const csi = (name: string): PersistentVolume =>
    volume(name, { csi: { driver: 'x.example.com', volumeHandle: name } });
  const claims: Record<string, PersistentVolumeClaim> = {
    'n/c': claim({ volumeName: 'one' }),
    'n/other': claim({ volumeName: 'two' }),
    'n/late': claim({ storageClassName: 'made' }),
  };
  const using = (claimName: string): Pod => ({
    metadata: { namespace: 'n', name: claimName, uid: claimName },
    spec: { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] },
  });
  const crowding = (asked: Pod, there: readonly Pod[], more: Partial<VolumeView> = {}): string | undefined => {
    const info = new NodeInfo(node('a'));
    for (const each of there) info.add(each);
    const limited: Partial<VolumeView> = {
      claim: (key) => claims[key],
      csiNode: () =>
        ({ spec: { drivers: [{ name: 'x.example.com', nodeID: 'a', allocatable: { count: 1 } }] } }) as CSINode,
    };
    const found = { claim: () => undefined, volume: csi, volumesFor: () => [], taken: new Set<string>() };
    return new PodVolumes(asked, {
      ...found,
      classOf: (name) => classes[name] as StorageClass | undefined,
      isUsedByOther: () => false,
      attachedTo: () => [],
      csiNode: () => undefined,
      ...limited,
      ...more,
    }).crowding(info);
  };
  const full = 'node(s) exceed max volume count';
  it('is counted by driver, each volume once', () => {
    expect(crowding(using('c'), [])).to.equal(undefined);
    expect(crowding(using('c'), [using('c')])).to.equal(undefined);
    expect(crowding(using('c'), [using('other')])).to.equal(full);
  });
  it('has those that are still to be made in it', () => {
    const made = { volume: (name: string) => (name === '' ? undefined : csi(name)) };
    expect(crowding(using('late'), [], made)).to.equal(undefined);
    expect(crowding(using('late'), [using('other')], made)).to.equal(full);
  });
  it('has those in it that are attached for nobody yet', () => {
    const attached = { spec: { attacher: 'x.example.com', nodeName: 'a', source: { persistentVolumeName: 'two' } } };
    expect(crowding(using('c'), [], { attachedTo: () => [attached as VolumeAttachment] })).to.equal(full);
  });
  it('does not matter where the node says nothing', () => {
    expect(crowding(using('c'), [using('other')], { csiNode: () => undefined })).to.equal(undefined);
  });
});
