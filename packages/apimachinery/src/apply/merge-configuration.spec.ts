import { expect } from 'chai';
import type { KubeObject } from '../object/object.ts';
import { schemaFor } from '../schema/builtin.ts';
import { GoValue } from './go-value.ts';
import { checkManagedFields, mergeConfiguration } from './merge-configuration.ts';

describe('mergeConfiguration', () => {
  const pod = schemaFor('io.k8s.api.core.v1.Pod');
  const original = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { labels: { a: '1' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };

  it('merges by keys', () => {
    expect(
      mergeConfiguration(pod, original, {
        metadata: { labels: { b: '2' } },
        spec: {
          containers: [
            { name: 'c', env: [{ name: 'E', value: 'v' }] },
            { name: 'd', image: 'j' },
          ],
        },
      }),
    ).to.deep.equal({
      ...original,
      metadata: { labels: { a: '1', b: '2' } },
      spec: {
        containers: [
          { name: 'c', image: 'i', env: [{ name: 'E', value: 'v' }] },
          { name: 'd', image: 'j' },
        ],
      },
    });
    expect(mergeConfiguration(null, { spec: { a: { b: 1 } } }, { spec: { a: { c: 2 } } })).to.deep.equal({
      spec: { a: { b: 1, c: 2 } },
    });
  });

  it('refuses what no document has, wherever it stands', () => {
    const value = new GoValue({ typeName: 'T', text: 't', syntax: 'T{}' });
    const refused =
      (spec: object): (() => unknown) =>
      () =>
        mergeConfiguration(pod, original, { spec } as KubeObject);
    expect(refused({ containers: [value] })).to.throw(
      'failed to convert patch object to typed object: .spec.containers: element 0: associative list with keys may ' +
        'not have non-map elements',
    );
    expect(refused({ containers: [{ name: 'a', resources: { limits: value } }] })).to.throw(
      '.spec.containers[name="a"].resources.limits: expected map, got &{t}',
    );
    expect(refused({ nodeName: value })).to.throw(
      '.spec.nodeName: expected string, got &value.valueUnstructured{Value:T{}}',
    );
    expect(refused({ priority: value })).to.throw('.spec.priority: expected numeric (int or float), got T');
    expect(refused({ hostPID: value })).to.throw('.spec.hostPID: expected boolean, got &{t}');
    expect(refused({ tolerations: value })).to.throw('.spec.tolerations: expected list, got &{t}');
    expect(() =>
      mergeConfiguration(pod, original, { metadata: { finalizers: [value] } } as unknown as KubeObject),
    ).to.throw('.metadata.finalizers[={{undefined}}]: expected string, got');
  });

  it('refuses what does not fit, and what is atomic', () => {
    expect(() => mergeConfiguration(pod, original, { nosuchfield: 1 })).to.throw(
      'failed to convert patch object to typed object: .nosuchfield: field not declared in schema',
    );
    expect(() =>
      mergeConfiguration(pod, original, {
        spec: { containers: [{ name: 'c', args: ['x'] }], nodeSelector: { a: 'b' } },
      }),
    ).to.throw(
      'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].args, ' +
        '.spec.nodeSelector',
    );
  });

  it('checks managedFields', () => {
    expect(() => checkManagedFields([{ manager: 'm' }])).to.throw('operation must be `Apply` or `Update`');
    expect(() =>
      checkManagedFields([{ operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { data: {} } }]),
    ).to.throw('missing colon: data');
    expect(() =>
      checkManagedFields([
        { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } },
      ]),
    ).not.to.throw();
  });
});
