import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import type { KubeObject } from '../../object/object.ts';
import { schemaFor } from '../../schema/builtin.ts';
import { arbitraryOf, isSafeKey } from '../testdata/arbitrary-object.ts';
import { decodeJSON } from './decode.ts';
import { encodeJSON, encodeJSONText, encodePrettyJSON, encodeStoredJSON, toStoredForm } from './encode.ts';
import { sortedForm } from './wire-form.ts';

const testdata = new URL('../testdata/', import.meta.url);
const podSchema = schemaFor('io.k8s.api.core.v1.Pod'),
  configMapSchema = schemaFor('io.k8s.api.core.v1.ConfigMap');

describe('encodeJSON', () => {
  it('orders keys by the bytes of UTF-8, as Go does, beyond the basic plane too', () => {
    const object = { '\u{10000}': 1, '\ue000': 2, b: { '\u{1f600}x': 1, '\uffee': 2, '\ud7ff': 3 } };
    expect(encodeJSON(object as unknown as KubeObject).toString()).to.equal(
      '{"b":{"\ud7ff":3,"\uffee":2,"\u{1f600}x":1},"\ue000":2,"\u{10000}":1}',
    );
  });
  for (const file of readdirSync(testdata).filter((name) => name.endsWith('.json'))) {
    it(`writes ${file} byte for byte as upstream`, () => {
      const bytes = readFileSync(new URL(file, testdata));
      const { object, kind } = decodeJSON(bytes, undefined, { strict: 'Strict', scheme: builtinScheme() });
      expect(encodePrettyJSON(object, kind?.schema).toString()).to.equal(bytes.toString().trimEnd());
    });
  }

  it('puts fields in Go order and writes zero values', () => {
    expect(
      encodeJSON(
        { spec: { containers: [{ image: 'i', name: 'a' }] }, apiVersion: 'v1', kind: 'Pod' },
        podSchema,
      ).toString(),
    ).to.equal(
      '{"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"a","image":"i",' +
        '"resources":{}}]},"status":{}}',
    );
  });

  it('leaves out unset, empty and unknown fields', () => {
    const object = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'a', labels: {} },
      spec: { containers: [], hostNetwork: false, nodeName: '' },
      junk: 1,
    };
    expect(encodeJSON(object, podSchema).toString()).to.equal(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[]},"status":{}}',
    );
    expect(object).to.have.property('junk');
  });

  it('sorts map keys and escapes what Go escapes', () => {
    expect(
      encodeJSON({ kind: 'ConfigMap', apiVersion: 'v1', data: { b: '<&>', a: '\u2028"' } }, configMapSchema).toString(),
    ).to.equal(
      String.raw`{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"a":"\u2028\"","b":"\u003c\u0026\u003e"}}`,
    );
  });

  it('writes 64-bit integers exactly', () => {
    expect(encodeJSON({ kind: 'W', apiVersion: 'e/v1', spec: { n: 9007199254740993n } }).toString()).to.equal(
      '{"apiVersion":"e/v1","kind":"W","spec":{"n":9007199254740993}}',
    );
  });

  it('gives equal bytes for equal objects, whatever the order of their keys', () => {
    const fields = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', labels: { x: '1', y: '2' } },
      data: { k: 'v' },
      immutable: true,
    };
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(fields), { minLength: 5 }), (entries) => {
        expect(encodeJSON(Object.fromEntries(entries), configMapSchema).toString()).to.equal(
          encodeJSON(fields, configMapSchema).toString(),
        );
        expect(encodeJSON(Object.fromEntries(entries)).toString()).to.equal(encodeJSON(fields).toString());
      }),
    );
  });

  it('is undone by decodeJSON for every kind, whatever the order of keys', () => {
    for (const gvk of [
      { group: '', version: 'v1', kind: 'Pod' },
      { group: 'apps', version: 'v1', kind: 'Deployment' },
      { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole' },
      { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
    ]) {
      const info = builtinScheme().kind(gvk);
      if (info === undefined) throw new RangeError(gvk.kind);
      fc.assert(
        fc.property(arbitraryOf(info.schema), (value) => {
          const object = {
            kind: gvk.kind,
            apiVersion: gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`,
            ...(value as object),
          };
          // Untyped values keep the order of their keys, so that the two forms are equal as data, not as text.
          const written = [object, sortedForm(object) as KubeObject].map((form) => {
            const bytes = encodeJSON(form, info.schema);
            const { object: decoded, strictErrors } = decodeJSON(bytes, info, { strict: 'Warn' });
            expect(strictErrors).to.deep.equal([]);
            expect(encodeJSON(decoded, info.schema).toString()).to.equal(bytes.toString());
            expect(
              encodeStoredJSON(decoded, info.schema).equals(encodeStoredJSON(form, info.schema)),
              'stored',
            ).to.equal(true);
            return JSON.parse(bytes.toString()) as unknown;
          });
          expect(written[1]).to.deep.equal(written[0]);
        }),
        { numRuns: 60 },
      );
    }
  });

  it('is undone by decodeJSON', () => {
    const info = builtinScheme().kind({ group: '', version: 'v1', kind: 'ConfigMap' });
    const name = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(fc.dictionary(name.filter(isSafeKey), name), fc.boolean(), (data, immutable) => {
        const bytes = encodeJSON({ kind: 'ConfigMap', apiVersion: 'v1', data, immutable }, configMapSchema);
        const { object } = decodeJSON(bytes, info, { strict: 'Strict' });
        expect(encodeJSON(object, configMapSchema).equals(bytes)).to.equal(true);
        expect(new Map(Object.entries(object['data'] ?? {}))).to.deep.equal(new Map(Object.entries(data)));
      }),
    );
  });

  it('writes empty lists as storage gives them back', () => {
    const role = builtinScheme().kind({ group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role' });
    const object = {
      kind: 'Role',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'a', labels: {} },
      rules: [],
    };
    expect(encodeJSON(object, role?.schema).toString()).to.contain('"rules":[]');
    expect(encodeStoredJSON(object, role?.schema).toString()).to.equal(
      '{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"a"},"rules":null}',
    );
    expect(encodeStoredJSON({ ...object, rules: [{ verbs: [] }] }, role?.schema).toString()).to.contain(
      '"rules":[{"verbs":null}]',
    );
    expect(toStoredForm(object, role?.schema)).to.deep.include({ rules: null });
    expect(object.rules, 'the argument stays as it is').to.deep.equal([]);
  });
});

describe('keys of maps that look like indexes of arrays', () => {
  const schema = configMapSchema;
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', labels: { 2: 'a', 10: 'b' } },
    data: { 9: '\ue000', 10: 'x', '-': 'y', a: 'z' },
  };
  it('are written in the order of texts, as Go does', () => {
    expect(encodeJSON(configMap, schema).toString()).to.equal(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c","labels":{"10":"b","2":"a"}},' +
        '"data":{"-":"y","10":"x","9":"\ue000","a":"z"}}',
    );
  });
  it('are stored so', () => {
    expect(encodeStoredJSON(configMap, schema).toString()).to.contain('"data":{"-":"y","10":"x","9":');
  });
  it('are written so without a schema, and indented', () => {
    expect(encodeJSONText({ b: { 9: 1, 10: 2 }, a: 1 })).to.equal('{"a":1,"b":{"10":2,"9":1}}');
    expect(encodePrettyJSON({ 9: 1, 10: 2 } as never).toString()).to.equal('{\n  "10": 2,\n  "9": 1\n}');
  });
  it('are left where they are in order as they stand', () => {
    expect(encodeJSONText({ 1: 'a', 2: 'b', x: 'c' })).to.equal('{"1":"a","2":"b","x":"c"}');
  });
});
