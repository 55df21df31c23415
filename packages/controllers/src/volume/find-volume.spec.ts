import { expect } from 'chai';
import type { PersistentVolume, PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import { volumeMismatch } from './claim-facts.ts';
import { findVolume } from './find-volume.ts';
import { reclaimOf } from './reclaim.ts';

const claim = (spec: object = {}): PersistentVolumeClaim =>
  ({
    metadata: { namespace: 'n', name: 'c', uid: 'u' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '2Gi' } },
      storageClassName: '',
      ...spec,
    },
  }) as PersistentVolumeClaim;
const volume = (name: string, spec: object = {}, more: object = {}): PersistentVolume =>
  ({
    metadata: { name, labels: { name } },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' }, ...spec },
    status: { phase: 'Available' },
    ...more,
  }) as PersistentVolume;

describe('the volume for a claim', () => {
  const rows: readonly (readonly [string, PersistentVolumeClaim, readonly PersistentVolume[], string | undefined])[] = [
    [
      'is the smallest that does',
      claim(),
      [
        volume('a', { capacity: { storage: '9Gi' } }),
        volume('b', { capacity: { storage: '3Gi' } }),
        volume('c', { capacity: { storage: '1Gi' } }),
      ],
      'b',
    ],
    [
      'can do no more than needed',
      claim(),
      [volume('a', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }), volume('b', { capacity: { storage: '9Gi' } })],
      'b',
    ],
    ['is of its class', claim({ storageClassName: 'x' }), [volume('a'), volume('b', { storageClassName: 'x' })], 'b'],
    ['is of its mode', claim(), [volume('a', { volumeMode: 'Block' })], undefined],
    ['matches its selector', claim({ selector: { matchLabels: { name: 'b' } } }), [volume('a'), volume('b')], 'b'],
    [
      'is free',
      claim(),
      [
        volume('a', { claimRef: { namespace: 'n', name: 'other' } }),
        volume('b', {}, { status: { phase: 'Released' } }),
      ],
      undefined,
    ],
    [
      'is the one that is kept for it, whatever else there is',
      claim(),
      [volume('a'), volume('b', { capacity: { storage: '9Gi' }, claimRef: { namespace: 'n', name: 'c' } })],
      'b',
    ],
    [
      'is none of an earlier claim of its name',
      claim(),
      [volume('a', { claimRef: { namespace: 'n', name: 'c', uid: 'old' } })],
      undefined,
    ],
  ];
  for (const [name, asked, volumes, expected] of rows)
    it(name, () => expect(findVolume(asked, volumes)?.metadata?.name).to.equal(expected));
  it('is only one that is kept for it where a pod is waited for', () => {
    expect(findVolume(claim(), [volume('a')], { keptOnly: true })).to.equal(undefined);
  });
  it('must fit also where the user names it', () => {
    expect(
      [
        {},
        { capacity: { storage: '1Gi' } },
        { storageClassName: 'x' },
        { volumeMode: 'Block' },
        { accessModes: ['ReadOnlyMany'] },
      ].map((spec) => volumeMismatch(volume('a', spec), claim())),
    ).to.deep.equal([
      undefined,
      'requested PV is too small',
      'storageClassName does not match',
      'incompatible volumeMode',
      'incompatible accessMode',
    ]);
  });
});

describe('what becomes of a released volume', () => {
  const rows: readonly (readonly [string, object, object, object])[] = [
    ['it stays', { persistentVolumeReclaimPolicy: 'Retain' }, {}, { kind: 'none' }],
    [
      'its provisioner deletes it',
      { persistentVolumeReclaimPolicy: 'Delete' },
      { 'pv.kubernetes.io/provisioned-by': 'x.example.com' },
      { kind: 'none' },
    ],
    ['it goes', { persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/tmp/a' } }, {}, { kind: 'delete' }],
    [
      'nobody can delete it',
      { persistentVolumeReclaimPolicy: 'Delete', nfs: {} },
      {},
      {
        kind: 'fail',
        reason: 'VolumeFailedDelete',
        message: 'error getting deleter volume plugin for volume "v": no deletable volume plugin matched',
      },
    ],
    ['it is used again', { persistentVolumeReclaimPolicy: 'Recycle', nfs: {} }, {}, { kind: 'recycle' }],
  ];
  for (const [name, spec, annotations, expected] of rows)
    it(name, () =>
      expect(reclaimOf({ metadata: { name: 'v', annotations }, spec } as PersistentVolume)).to.deep.equal(expected),
    );
});
