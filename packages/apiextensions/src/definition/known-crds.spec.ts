import { JSONRecord, parseJSONObject } from '@kubechain/shared-storage';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { KnownCRDs } from './known-crds.ts';

const schema = { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' } } } };

function recordOf(
  revision: number,
  {
    generation = 1,
    uid = 'u',
    ...more
  }: {
    generation?: number;
    uid?: string;
    kind?: string;
    status?: object;
    schema?: object;
    group?: string;
    name?: string;
  } = {},
): ObjectRecord {
  const { group = 'x.io', kind = 'A', name = `as.${group}` } = more;
  const crd = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name, uid, resourceVersion: String(revision), generation, managedFields: [{ manager: 'm' }] },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'as', kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: more.schema ?? schema }],
    },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
  return new JSONRecord(`/registry/crds/${name}`, revision, {
    json: Buffer.from(JSON.stringify(crd)),
    attributes: { name, namespace: '', labels: undefined, fields: {} },
    parse: parseJSONObject,
  });
}

describe('KnownCRDs', () => {
  it('keeps neither schemas nor managedFields, and tells them from the newest record', () => {
    const crds = new KnownCRDs();
    const news = crds.set(recordOf(5), false);
    expect(news?.known.crd.metadata).to.not.have.property('managedFields');
    expect(news?.known.crd.spec.versions).to.deep.equal([{ name: 'v1', served: true, storage: true }]);
    expect(news?.known.whole().spec.versions[0]?.schema).to.deep.equal(schema);
    crds.set(recordOf(6, { status: { conditions: [] } }), false);
    expect(news?.known.whole().metadata.resourceVersion).to.equal('6');
  });

  it('takes in what is newer only', () => {
    const crds = new KnownCRDs();
    crds.set(recordOf(5), false);
    expect(crds.set(recordOf(5), true)).to.equal(undefined);
    expect(crds.set(recordOf(4, { generation: 9 }), true)).to.equal(undefined);
    expect(crds.get('as.x.io')?.metadata.generation).to.equal(1);
  });

  it('shares the spec with what was known, and with nothing else', () => {
    const crds = new KnownCRDs();
    const first = crds.set(recordOf(5), false)?.known;
    const spec = first?.crd.spec;
    const status = { conditions: [{ type: 'Established', status: 'True' as const }] };
    const news = crds.set(recordOf(6, { status }), false);
    expect(news?.known).to.equal(first);
    expect(news?.known.crd.spec).to.equal(spec);
    expect(news?.known.crd.status).to.deep.equal(status);
    expect(news?.known.crd.metadata.resourceVersion).to.equal('6');
    expect(news?.before?.status).to.equal(undefined);
    expect(news?.known.crd.metadata).to.not.have.property('managedFields');
    expect(crds.set(recordOf(7), false)?.known.crd).to.not.have.property('status');
    for (const [revision, change] of [
      { generation: 2 },
      { uid: 'other', generation: 2 },
      { uid: 'other', generation: 2, kind: 'B' },
      { uid: 'other', generation: 2, kind: 'B', schema: {} },
    ].entries()) {
      const before = crds.known('as.x.io');
      expect(crds.set(recordOf(10 + revision, change), false)?.known, JSON.stringify(change)).to.not.equal(before);
    }
  });

  it('knows the CRDs of a group', () => {
    const crds = new KnownCRDs();
    crds.set(recordOf(5), false);
    crds.set(recordOf(6, { name: 'bs.x.io' }), false);
    crds.set(recordOf(7, { group: 'y.io' }), false);
    expect([...crds.inGroup('x.io')].map(([name]) => name)).to.deep.equal(['as.x.io', 'bs.x.io']);
    expect(crds.delete('as.x.io', 'other')).to.equal(undefined);
    expect(crds.delete('as.x.io', 'u')?.metadata.name).to.equal('as.x.io');
    expect([...crds.inGroup('x.io')].map(([name]) => name)).to.deep.equal(['bs.x.io']);
    expect(crds.delete('as.x.io', 'u')).to.equal(undefined);
  });
});
