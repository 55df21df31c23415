import type { KubeObject } from '@kubechain/apimachinery';
import type { PersistentVolume, PersistentVolumeStatus } from '@kubechain/apimachinery/types/core/v1';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { persistentVolumeStatusStrategy, persistentVolumeStrategy } from './strategy.ts';
import { capabilitiesOf } from '../../capabilities.ts';

const context = internalContext({ groupResource: { group: '', resource: 'persistentvolumes' } });
const clock = { now: () => Date.UTC(2026, 0, 2) };
const now = '2026-01-02T00:00:00Z';
const then = '2025-01-01T00:00:00Z';

describe('PersistentVolumes', () => {
  it('start pending, from now on', async () => {
    const volume = { status: { phase: 'Bound' } };
    await persistentVolumeStrategy(clock, capabilitiesOf({ allowPrivileged: true })).prepareForCreate?.(
      volume,
      context,
    );
    expect(volume.status).to.deep.equal({ phase: 'Pending', lastPhaseTransitionTime: now });
  });

  it('look at the spec before metadata is looked at once more, and again with what may not change', async () => {
    const strategy = persistentVolumeStrategy(clock, capabilitiesOf({ allowPrivileged: true }));
    const volume = (terms: { key: string; operator: 'In'; values: string[] }[]): PersistentVolume => ({
      metadata: { name: 'a' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        persistentVolumeReclaimPolicy: 'Retain',
        hostPath: { path: '/a' },
        nodeAffinity: { required: { nodeSelectorTerms: terms.length === 0 ? [] : [{ matchExpressions: terms }] } },
      },
    });
    const before = volume([{ key: 'a', operator: 'In', values: ['b'] }]);
    const told = async (now: PersistentVolume): Promise<string[][]> => {
      const [object, old] = [now as KubeObject, before as KubeObject];
      const errors = [
        (await strategy.validateUpdate?.(object, old, context)) ?? [],
        strategy.validateChange?.(object, old, context) ?? [],
      ];
      return errors.map((list) => list.map(({ field }) => field));
    };
    const terms = 'spec.nodeAffinity.required.nodeSelectorTerms';
    expect(await told(volume([]))).to.deep.equal([[terms], [terms, 'nodeAffinity']]);
    // A label that has no other name may become the empty one, which is no name of a label.
    const [update = [], change = []] = await told(volume([{ key: '', operator: 'In', values: ['b'] }]));
    expect(update).to.include(`${terms}[0].matchExpressions[0].key`);
    expect(change).to.deep.equal(update);
    const [, unnamed = []] = await told(volume([{ operator: 'In', values: ['b'] } as never]));
    expect(unnamed).not.to.include('nodeAffinity');
  });

  const old: PersistentVolumeStatus = { phase: 'Pending', lastPhaseTransitionTime: then };
  const rows: readonly (readonly [name: string, status: PersistentVolumeStatus, expected: PersistentVolumeStatus])[] = [
    ['keep the time while the phase is the same', { phase: 'Pending' }, old],
    ['note when the phase changed', { phase: 'Bound' }, { phase: 'Bound', lastPhaseTransitionTime: now }],
    [
      'note it too where the caller sends the old time',
      { phase: 'Bound', lastPhaseTransitionTime: then },
      { phase: 'Bound', lastPhaseTransitionTime: now },
    ],
    [
      'believe a caller who says when',
      { phase: 'Bound', lastPhaseTransitionTime: '2025-06-01T00:00:00Z' },
      { phase: 'Bound', lastPhaseTransitionTime: '2025-06-01T00:00:00Z' },
    ],
  ];
  for (const [name, status, expected] of rows) {
    it(name, async () => {
      const volume = { status: { ...status } };
      await persistentVolumeStatusStrategy(clock).prepareForUpdate?.(volume, { status: old }, context);
      expect(volume.status).to.deep.equal(expected);
    });
  }
});
