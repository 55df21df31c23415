import { expect } from 'chai';
import { schemaFor } from '../schema/builtin.ts';
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
