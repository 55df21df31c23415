import { expect } from 'chai';
import { schemaFor } from '../schema/builtin.ts';
import type { StructSchema } from '../schema/schema.ts';
import { fromUnstructured } from './from-unstructured.ts';
import type { JSONObject } from './json-object.ts';

describe('fromUnstructured', () => {
  const read = (kind: string, data: object, unknownFields = false): ReturnType<typeof fromUnstructured> =>
    fromUnstructured(data as JSONObject, schemaFor(`io.k8s.api.${kind}`) as StructSchema, { unknownFields });

  it('makes values canonical, drops what is empty and unknown', () => {
    const { object, unknownFields } = read('core.v1.Pod', {
      metadata: { name: 'p', labels: {}, creationTimestamp: '2020-01-01T00:00:00+01:00', bogus: 1 },
      spec: { nodeName: '', containers: [{ name: 'c', image: null, resources: { limits: { cpu: 0.5, memory: '1024Mi' } }, ports: [], zork: {} }], tolerations: [null] },
    }, true);
    expect(object).to.deep.equal({
      metadata: { name: 'p', creationTimestamp: '2019-12-31T23:00:00Z' },
      spec: { containers: [{ name: 'c', resources: { limits: { cpu: '500m', memory: '1Gi' } } }], tolerations: [{}] },
    });
    expect(unknownFields).to.deep.equal(['unknown field "metadata.bogus"', 'unknown field "spec.containers[0].zork"']);
  });

  const errors: [kind: string, data: object, message: string][] = [
    ['core.v1.ConfigMap', { data: { x: 1 } }, 'cannot convert int64 to string'],
    ['core.v1.ConfigMap', { data: ['x'] }, 'cannot restore map from slice'],
    ['core.v1.ConfigMap', { data: 'x' }, 'cannot restore map from string'],
    ['core.v1.ConfigMap', { data: { x: true } }, 'unrecognized type: string'],
    ['core.v1.ConfigMap', { metadata: 'x' }, 'cannot restore struct from: string'],
    ['core.v1.ConfigMap', { binaryData: { b: 'hello' } }, 'error decoding from json: illegal base64 data at input byte 4'],
    ['apps.v1.Deployment', { spec: { replicas: 'x' } }, 'unrecognized type: int32'],
    ['apps.v1.Deployment', { spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
    ['core.v1.PodTemplate', { template: { spec: { containers: 'b' } } }, 'cannot restore slice from string'],
    ['core.v1.PodTemplate', { template: { spec: { containers: { name: 'b' } } } }, 'cannot restore slice from map'],
    ['core.v1.Service', { spec: { ports: [{ targetPort: 1.5 }] } }, 'json: cannot unmarshal number 1.5 into Go value of type int32'],
    ['core.v1.Pod', { metadata: { creationTimestamp: 5 } }, 'json: cannot unmarshal number into Go value of type string'],
  ];
  for (const [kind, data, message] of errors) it(`refuses ${JSON.stringify(data)}`, () => expect(() => read(kind, data)).to.throw(message));
});
