import { expect } from 'chai';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
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
    volumes: () => volumes,
    classOf: (name) => classes[name] as StorageClass | undefined,
    taken: new Set(),
    isUsedByOther: () => false,
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
    [
      'a claim for one pod alone',
      volumesOf(claim({ volumeName: 'v', accessModes: ['ReadWriteOncePod'] }, bound), [volume('v')], {
        isUsedByOther: () => true,
      }),
      node('a'),
      [
        'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by ' +
          'another pod',
      ],
    ],
  ];
  for (const [name, volumes, at, expected] of refusals)
    it(`of one node: ${name}`, () => {
      const plan = volumes.planFor(at);
      expect(isRefusal(plan) ? plan : undefined).to.deep.equal(expected);
    });
  it('plans the smallest volume that does, or one to be made', () => {
    const large = volume('large', { capacity: { storage: '5Gi' } });
    const plan = volumesOf(claim({ storageClassName: 'late' }), [large, volume('small')]).planFor(node('a'));
    expect(isRefusal(plan) ? [] : plan.bindings.map((each) => each.volume.metadata?.name)).to.deep.equal(['small']);
    const made = volumesOf(claim({ storageClassName: 'made' })).planFor(node('a'));
    expect(isRefusal(made) ? [] : made.provisions.map(({ metadata }) => metadata?.name)).to.deep.equal(['c']);
  });
});
