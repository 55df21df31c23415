import { expect } from 'chai';
import {
  builtinScheme,
  cloneDecoded,
  copyDecoded,
  decodeJSON,
  emptiedFields,
  fromUnstructured,
  hasEmptied,
  isGiven,
  printed,
  wasEmptied,
} from '../index.ts';
import type { KubeObject, StructSchema } from '../index.ts';
import { sameEmptied } from './emptied.ts';

describe('maps and lists without entries', () => {
  const decode = (labels: string, strict: 'Ignore' | 'Strict' = 'Ignore'): KubeObject => {
    const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"${labels}}}`;
    const kind = builtinScheme().kind({ group: '', version: 'v1', kind: 'ConfigMap' });
    return decodeJSON(Buffer.from(text), kind, { strict, scheme: builtinScheme(), schemeName: 'x' }).object;
  };
  const labelsOf = (labels: string, strict?: 'Ignore' | 'Strict'): unknown =>
    printed(decode(labels, strict).metadata, 'labels');

  it('are told from maps that are not there, while the object is the one that was decoded', () => {
    for (const strict of ['Ignore', 'Strict'] as const) {
      expect(labelsOf(',"labels":{}', strict), strict).to.deep.equal({});
      expect(labelsOf('', strict), strict).to.equal(null);
      expect(labelsOf(',"labels":{"a":"b"}', strict), strict).to.deep.equal({ a: 'b' });
    }
    // A duplicate field takes the exact decoder.
    expect(labelsOf(',"labels":{},"labels":{}')).to.deep.equal({});
    expect(printed(undefined as KubeObject['metadata'], 'labels')).to.equal(null);
  });

  it('are told from ones that are not there in what patches give, and in copies that keep it', () => {
    const pod = builtinScheme().kind({ group: '', version: 'v1', kind: 'Pod' })?.schema as StructSchema;
    const { object } = fromUnstructured({ spec: { containers: [{ name: 'c', envFrom: [], env: null }] } }, pod);
    const [container = {}] = (object['spec'] as unknown as { containers: object[] }).containers;
    expect(emptiedFields(container)).to.deep.equal(['envFrom']);
    expect(emptiedFields(copyDecoded(container))).to.deep.equal(['envFrom']);
    expect(emptiedFields({ ...container })).to.deep.equal([]);
  });

  it('are told apart', () => {
    const finalizers = (text: string): unknown => printed(decode(text).metadata, 'finalizers');
    expect(finalizers(',"finalizers":[]')).to.deep.equal([]);
    expect(finalizers(',"finalizers":["a/b"]')).to.deep.equal(['a/b']);
    expect(finalizers(',"labels":{}')).to.equal(null);
    expect(finalizers(',"finalizers":null')).to.equal(null);
  });

  it('are told of managed fields, for which they ask to start afresh', () => {
    expect(wasEmptied(decode(',"managedFields":[]').metadata, 'managedFields')).to.equal(true);
    expect(wasEmptied(decode(',"managedFields":[],"managedFields":[]').metadata, 'managedFields')).to.equal(true);
    expect(wasEmptied(decode('').metadata, 'managedFields')).to.equal(false);
    const { object } = fromUnstructured(
      { metadata: { name: 'x', managedFields: [] } },
      builtinScheme().kind({ group: '', version: 'v1', kind: 'ConfigMap' })?.schema as StructSchema,
    );
    expect(object).to.deep.equal({ metadata: { name: 'x' } });
    expect(wasEmptied(object['metadata'] as object, 'managedFields')).to.equal(true);
  });

  it('are left out of the object all the same', () => {
    expect(decode(',"labels":{}').metadata).to.deep.equal({ name: 'x' });
    expect(printed(structuredClone(decode(',"labels":{}')).metadata, 'labels')).to.equal(null);
  });

  it('are given, as far as Go can tell', () => {
    const { metadata } = decode(',"labels":{},"finalizers":[]');
    expect([
      isGiven(metadata, 'labels'),
      isGiven(metadata, 'finalizers'),
      isGiven(metadata, 'name'),
      isGiven(metadata, 'annotations'),
    ]).to.deep.equal([true, true, true, false]);
    expect(emptiedFields(metadata ?? {})).to.deep.equal(['labels', 'finalizers']);
  });

  it('are kept by copies that are made for that', () => {
    expect(printed(cloneDecoded({ metadata: [decode(',"labels":{}').metadata] }).metadata[0], 'labels')).to.deep.equal(
      {},
    );
  });

  it('count for equality as Go sees it', () => {
    expect([hasEmptied(decode(',"labels":{}')), hasEmptied(decode(''))]).to.deep.equal([true, false]);
    const same = (a: string, b: string): boolean => sameEmptied(decode(a) as never, decode(b) as never);
    expect([
      same('', ''),
      same(',"labels":{}', ''),
      same('', ',"labels":{}'),
      same(',"labels":{}', ',"labels":{}'),
    ]).to.deep.equal([true, false, false, true]);
  });
});
