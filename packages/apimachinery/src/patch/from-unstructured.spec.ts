import { expect } from 'chai';
import fc from 'fast-check';
import type { JSONValue, KubeObject } from '../object/object.ts';
import { schemaFor } from '../schema/builtin.ts';
import type { StructSchema } from '../schema/schema.ts';
import { encodeJSON } from '../serializer/json/encode.ts';
import { pod } from '../testing/sample-pod.ts';
import { fromUnstructured } from './from-unstructured.ts';
import { isJSONObject } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';

describe('fromUnstructured', () => {
  const read = (kind: string, data: object, unknownFields = false): ReturnType<typeof fromUnstructured> =>
    fromUnstructured(data as JSONObject, schemaFor(`io.k8s.api.${kind}`) as StructSchema, { unknownFields });

  it('makes values canonical, drops what is empty and unknown', () => {
    const { object, unknownFields } = read(
      'core.v1.Pod',
      {
        metadata: { name: 'p', labels: {}, creationTimestamp: '2020-01-01T00:00:00+01:00', bogus: 1 },
        spec: {
          nodeName: '',
          containers: [
            { name: 'c', image: null, resources: { limits: { cpu: 0.5, memory: '1024Mi' } }, ports: [], zork: {} },
          ],
          tolerations: [null],
        },
      },
      true,
    );
    expect(object).to.deep.equal({
      metadata: { name: 'p', creationTimestamp: '2019-12-31T23:00:00Z' },
      spec: { containers: [{ name: 'c', resources: { limits: { cpu: '500m', memory: '1Gi' } } }], tolerations: [{}] },
    });
    expect(unknownFields).to.deep.equal(['unknown field "metadata.bogus"', 'unknown field "spec.containers[0].zork"']);
  });

  it('leaves out the nulls of stored JSON in what it knows already', () => {
    const resourceRules = [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'], clusterScope: true, namespaces: null },
    ];
    const live = { metadata: { name: 'f' }, spec: { rules: [{ resourceRules }] } };
    const schema = schemaFor('io.k8s.api.flowcontrol.v1.FlowSchema') as StructSchema;
    const { object } = fromUnstructured({ ...live, metadata: { name: 'f', labels: { a: 'b' } } }, schema, {
      known: live,
    });
    const { namespaces: _, ...rule } = resourceRules[0] as object & { namespaces: null };
    expect(object['spec']).to.deep.equal({ rules: [{ resourceRules: [rule] }] });
  });

  it('makes of a whole number beyond int64 what Go makes of such a float', () => {
    const { object } = read('apps.v1.ControllerRevision', { revision: 1e30 });
    expect(object).to.deep.equal({ revision: -(2n ** 63n) });
    expect(read('apps.v1.Deployment', { spec: { replicas: 1e30 } }).object).to.deep.equal({ spec: { replicas: 0 } });
    expect(read('apps.v1.ControllerRevision', { revision: -(2 ** 63) }).object).to.deep.equal({
      revision: -(2n ** 63n),
    });
    expect(read('apps.v1.ControllerRevision', { revision: 2n ** 62n }).object).to.deep.equal({ revision: 2n ** 62n });
  });

  it('reads unions as their own methods do: unknown fields go without a word, mistakes are told as of JSON', () => {
    const props = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
    const readProps = (data: object): ReturnType<typeof fromUnstructured> =>
      fromUnstructured(data as JSONObject, schemaFor(props) as StructSchema, { unknownFields: true });
    const { object, unknownFields } = readProps({ items: { type: 'string', bogus: 1 }, additionalProperties: true });
    expect(object).to.deep.equal({ items: { type: 'string' }, additionalProperties: true });
    expect(unknownFields).to.deep.equal([]);
    expect(readProps({ items: 1, dependencies: { a: 'x' } }).object).to.deep.equal({
      items: null,
      dependencies: { a: null },
    });
    expect(() => readProps({ items: { properties: { name: 'x' } } })).to.throw(
      'json: cannot unmarshal string into Go struct field JSONSchemaProps.properties of type v1.JSONSchemaProps',
    );
    expect(() => readProps({ items: { items: { enum: 1 } } })).to.throw(
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.items.enum of type []v1.JSON',
    );
    expect(() => readProps({ additionalProperties: 'x' })).to.throw('boolean or JSON schema expected');
  });

  it('reads in the order of the type, whatever the order of the data, what it knows as what it does not', () => {
    const schema = schemaFor('io.k8s.api.core.v1.Pod') as StructSchema;
    const whole = pod() as JSONObject;
    const shuffled = (value: JSONValue, by: number): JSONValue => {
      if (Array.isArray(value)) return value.map((item) => shuffled(item, by));
      if (!isJSONObject(value)) return value;
      const keys = Object.keys(value);
      return Object.fromEntries(
        [...keys.slice(by % keys.length), ...keys.slice(0, by % keys.length)].map((key) => [
          key,
          shuffled(value[key] as JSONValue, by + 1),
        ]),
      );
    };
    const canonical = fromUnstructured(whole, schema).object;
    const text = (object: JSONObject): string => encodeJSON(object as KubeObject, schema).toString();
    const keys = (object: JSONObject): string[] =>
      Object.keys((object['spec'] as { containers: object[] }).containers[0] ?? {});
    for (let by = 0; by < 12; by++) {
      const { object } = fromUnstructured(shuffled(whole, by) as JSONObject, schema);
      expect(text(object)).to.equal(text(canonical));
      expect(keys(object)).to.deep.equal(keys(canonical));
    }
    fc.assert(
      fc.property(
        fc.nat(12),
        fc.nat(100),
        fc.constantFrom<JSONValue>('', null, [], 'x', { a: null }),
        (by, at, item) => {
          const live = JSON.parse(JSON.stringify(canonical)) as JSONObject;
          // The same parts but for one path from the root.
          const change = (value: JSONValue, left: number): JSONValue => {
            if (!isJSONObject(value) || left === 0) return item;
            const keys = Object.keys(value);
            const key = keys[left % keys.length] as string;
            return { ...value, [key]: change(value[key] as JSONValue, Math.floor(left / 3)) };
          };
          const merged = change(live, at) as JSONObject;
          const attempt = (known: JSONValue | undefined): string => {
            try {
              return JSON.stringify(fromUnstructured(merged, schema, known === undefined ? {} : { known }).object);
            } catch (error) {
              return String(error);
            }
          };
          expect(attempt(live)).to.equal(attempt(undefined));
          expect(attempt(shuffled(live, by))).to.equal(attempt(undefined));
        },
      ),
    );
    const known = { spec: { containers: [{ name: 'a' }] } };
    const { object } = fromUnstructured({ spec: known.spec, metadata: { name: 'x' } }, schema, { known });
    expect(object['spec']).to.deep.equal(known.spec);
    expect(object['spec']).not.to.equal(known.spec);
    expect((object['spec'] as JSONObject)['containers']).not.to.equal(known.spec.containers);
  });

  const errors: [kind: string, data: object, message: string][] = [
    ['core.v1.ConfigMap', { data: { x: 1 } }, 'cannot convert int64 to string'],
    ['core.v1.ConfigMap', { data: ['x'] }, 'cannot restore map from slice'],
    ['core.v1.ConfigMap', { data: 'x' }, 'cannot restore map from string'],
    ['core.v1.ConfigMap', { data: { x: true } }, 'unrecognized type: string'],
    ['core.v1.ConfigMap', { data: { x: 1 } }, 'cannot convert int64 to string'],
    ['core.v1.ConfigMap', { data: { x: 1e30 } }, 'unrecognized type: string'],
    ['core.v1.ConfigMap', { metadata: 'x' }, 'cannot restore struct from: string'],
    [
      'core.v1.ConfigMap',
      { binaryData: { b: 'hello' } },
      'error decoding from json: illegal base64 data at input byte 4',
    ],
    ['core.v1.ConfigMap', { binaryData: { b: 5 } }, 'cannot restore slice from int64'],
    ['core.v1.ConfigMap', { binaryData: { b: [1, null, 'x'] } }, 'unrecognized type: uint8'],
    ['core.v1.ConfigMap', { binaryData: { b: [1.5] } }, 'cannot convert float64 to uint8'],
    ['apps.v1.Deployment', { spec: { replicas: 'x' } }, 'unrecognized type: int32'],
    ['apps.v1.Deployment', { spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
    ['core.v1.PodTemplate', { template: { spec: { containers: 'b' } } }, 'cannot restore slice from string'],
    ['core.v1.PodTemplate', { template: { spec: { containers: { name: 'b' } } } }, 'cannot restore slice from map'],
    [
      'core.v1.Service',
      { spec: { ports: [{ targetPort: 1.5 }] } },
      'json: cannot unmarshal number 1.5 into Go value of type int32',
    ],
    [
      'core.v1.Pod',
      { metadata: { creationTimestamp: 5 } },
      'json: cannot unmarshal number into Go value of type string',
    ],
  ];
  for (const [kind, data, message] of errors)
    it(`refuses ${JSON.stringify(data)}`, () => expect(() => read(kind, data)).to.throw(message));
});
