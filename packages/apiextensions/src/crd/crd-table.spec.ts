import { expect } from 'chai';
import { crdTable } from './crd-table.ts';

const version = (name: string, fields: object): object => ({ name, served: true, storage: false, ...fields });
const crd = (conditions: readonly object[]): Parameters<typeof crdTable.row>[0] => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing', shortNames: ['th', 't'] },
    versions: [version('v2', { storage: true }), version('v1', {}), version('v0', { served: false })],
  },
  status: { conditions },
});

/** Cells recorded from kube-apiserver 1.37.2. */
describe('CRDs as 1.37 prints them', () => {
  it('tell served versions in order, and which is stored', () => {
    const { cells } = crdTable.row(crd([]));
    expect(cells).to.deep.equal([
      'things.example.com',
      'Namespaced',
      'v1,v2(storage)',
      '2026-01-01T00:00:00Z',
      'example.com',
      'Thing',
      'th,t',
      false,
    ]);
    expect(crdTable.columns.length).to.equal(cells.length);
  });

  it('tell whether they are established', () => {
    expect(crdTable.row(crd([{ type: 'Established', status: 'True' }])).cells.at(-1)).to.equal(true);
    expect(crdTable.row(crd([{ type: 'Established', status: 'False' }])).cells.at(-1)).to.equal(false);
  });
});
