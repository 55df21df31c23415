import { expect } from 'chai';
import { schemaFor } from '../schema/builtin.ts';
import type { StructSchema } from '../schema/schema.ts';
import { fromUnstructured } from './from-unstructured.ts';
import type { JSONObject } from '../object/json-object.ts';
import { applyJSONPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

describe('raw JSON in patched objects', () => {
  const schema = schemaFor('io.k8s.api.apps.v1.ControllerRevision') as StructSchema;
  const revision: JSONObject = {
    metadata: { name: 'r', labels: { z: '1' } },
    revision: 1,
    data: { spec: { z: 1, a: [{ y: 1, b: 2 }] }, kind: { q: 1, p: 2 } },
  };
  const data = (object: unknown): string => JSON.stringify((object as JSONObject)['data']);

  it('is sorted where a merge patch opens it, and as given elsewhere', () => {
    expect(data(applyMergePatch(revision, { metadata: { labels: { a: '1' } } }, schema))).to.equal(
      '{"spec":{"z":1,"a":[{"y":1,"b":2}]},"kind":{"q":1,"p":2}}',
    );
    expect(data(applyMergePatch(revision, { data: { other: { z: 1, b: { d: 1, c: null, a: 1 } } } }, schema))).to.equal(
      '{"kind":{"q":1,"p":2},"other":{"b":{"a":1,"d":1},"z":1},"spec":{"z":1,"a":[{"y":1,"b":2}]}}',
    );
    expect(
      JSON.stringify(applyMergePatch(revision, { metadata: { labels: { a: '1' } } }, schema)['metadata']),
    ).to.equal('{"name":"r","labels":{"z":"1","a":"1"}}');
  });

  it('is sorted on the way of a JSON patch; the value that is set is not', () => {
    expect(data(applyJSONPatch(revision, [{ op: 'add', path: '/data/more', value: { z: 1, a: 2 } }], schema))).to.equal(
      '{"kind":{"q":1,"p":2},"more":{"z":1,"a":2},"spec":{"z":1,"a":[{"y":1,"b":2}]}}',
    );
    expect(data(applyJSONPatch(revision, [{ op: 'add', path: '/data/spec/a/0/c', value: 3 }], schema))).to.equal(
      '{"kind":{"q":1,"p":2},"spec":{"a":[{"b":2,"c":3,"y":1}],"z":1}}',
    );
    expect(data(applyJSONPatch(revision, [{ op: 'test', path: '/revision', value: 1 }], schema))).to.equal(
      data(revision),
    );
  });

  it('is sorted throughout where the whole object was plain data', () => {
    expect(data(fromUnstructured(revision, schema).object)).to.equal(
      '{"kind":{"p":2,"q":1},"spec":{"a":[{"b":2,"y":1}],"z":1}}',
    );
    expect(data(fromUnstructured(revision, schema, { known: revision }).object)).to.equal(
      '{"kind":{"p":2,"q":1},"spec":{"a":[{"b":2,"y":1}],"z":1}}',
    );
  });
});
