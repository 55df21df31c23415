import { JSONRecord, parseJSONObject } from '@kubechain/shared-storage';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { assert } from 'chai';
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
    assert.notProperty(news?.known.crd.metadata, 'managedFields');
    assert.deepEqual(news?.known.crd.spec.versions, [{ name: 'v1', served: true, storage: true }]);
    assert.deepEqual(news?.known.whole().spec.versions[0]?.schema, schema);
    crds.set(recordOf(6, { status: { conditions: [] } }), false);
    assert.equal(news?.known.whole().metadata.resourceVersion, '6');
  });

  it('takes in what is newer only', () => {
    const crds = new KnownCRDs();
    crds.set(recordOf(5), false);
    assert.isUndefined(crds.set(recordOf(5), true));
    assert.isUndefined(crds.set(recordOf(4, { generation: 9 }), true));
    assert.equal(crds.get('as.x.io')?.metadata.generation, 1);
  });

  it('shares the spec with what was known, and with nothing else', () => {
    const crds = new KnownCRDs();
    const first = crds.set(recordOf(5), false)?.known;
    const spec = first?.crd.spec;
    const status = { conditions: [{ type: 'Established', status: 'True' as const }] };
    const news = crds.set(recordOf(6, { status }), false);
    assert.strictEqual(news?.known, first);
    assert.strictEqual(news?.known.crd.spec, spec);
    assert.deepEqual(news?.known.crd.status, status);
    assert.equal(news?.known.crd.metadata.resourceVersion, '6');
    assert.isUndefined(news?.before?.status);
    assert.notProperty(news?.known.crd.metadata, 'managedFields');
    assert.notProperty(crds.set(recordOf(7), false)?.known.crd, 'status');
    for (const [revision, change] of [
      { generation: 2 },
      { uid: 'other', generation: 2 },
      { uid: 'other', generation: 2, kind: 'B' },
      { uid: 'other', generation: 2, kind: 'B', schema: {} },
    ].entries()) {
      const before = crds.known('as.x.io');
      assert.notStrictEqual(crds.set(recordOf(10 + revision, change), false)?.known, before, JSON.stringify(change));
    }
  });

  it('knows the CRDs of a group', () => {
    const crds = new KnownCRDs();
    crds.set(recordOf(5), false);
    crds.set(recordOf(6, { name: 'bs.x.io' }), false);
    crds.set(recordOf(7, { group: 'y.io' }), false);
    assert.deepEqual(
      [...crds.inGroup('x.io')].map(([name]) => name),
      ['as.x.io', 'bs.x.io'],
    );
    assert.isUndefined(crds.delete('as.x.io', 'other'));
    assert.equal(crds.delete('as.x.io', 'u')?.metadata.name, 'as.x.io');
    assert.deepEqual(
      [...crds.inGroup('x.io')].map(([name]) => name),
      ['bs.x.io'],
    );
    assert.isUndefined(crds.delete('as.x.io', 'u'));
  });
});
