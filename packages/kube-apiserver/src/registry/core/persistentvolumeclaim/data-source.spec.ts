import type { PersistentVolumeClaimSpec } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { prepareDataSources } from './data-source.ts';

const claim = { kind: 'PersistentVolumeClaim', name: 'a' };
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'a' };
const other = { apiGroup: 'example.com', kind: 'Backup', name: 'a' };

describe('prepareDataSources', () => {
  const rows: readonly (readonly [
    name: string,
    spec: PersistentVolumeClaimSpec,
    old: PersistentVolumeClaimSpec | undefined,
    expected: PersistentVolumeClaimSpec,
  ])[] = [
    ['names a claim in both fields', { dataSource: claim }, undefined, { dataSource: claim, dataSourceRef: claim }],
    [
      'names a snapshot in both fields',
      { dataSource: snapshot },
      undefined,
      { dataSource: snapshot, dataSourceRef: snapshot },
    ],
    ['drops anything else from dataSource', { dataSource: other }, undefined, {}],
    [
      'takes anything in dataSourceRef',
      { dataSourceRef: other },
      undefined,
      { dataSource: other, dataSourceRef: other },
    ],
    [
      'leaves two different sources to validation',
      { dataSource: claim, dataSourceRef: other },
      undefined,
      { dataSource: claim, dataSourceRef: other },
    ],
    ['drops a source in another namespace', { dataSourceRef: { ...claim, namespace: 'b' } }, undefined, {}],
    [
      'keeps what was in use',
      { dataSource: other },
      { dataSource: other, dataSourceRef: other },
      { dataSource: other, dataSourceRef: other },
    ],
  ];
  for (const [name, spec, old, expected] of rows) {
    it(name, () => {
      const result = structuredClone(spec);
      prepareDataSources(result, { enabled: () => false }, old);
      expect(result).to.deep.equal(expected);
    });
  }

  it('takes a source in another namespace where the feature is on', () => {
    const spec: PersistentVolumeClaimSpec = { dataSourceRef: { ...other, namespace: 'b' } };
    prepareDataSources(spec, { enabled: (gate) => gate === 'CrossNamespaceVolumeDataSource' });
    expect(spec).to.deep.equal({ dataSourceRef: { ...other, namespace: 'b' } });
  });
});
