import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { VersionSchemas } from './version-schema.ts';

describe('the schemas of a CRD of old that preserves unknown fields', () => {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { replicas: { type: 'integer', maximum: 3 } } },
      lists: { type: 'array', items: { properties: { name: { type: 'string' } } } },
    },
  } as const;
  const schemaOf = (preserveUnknownFields: boolean): VersionSchemas => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'as.x.io' },
      spec: {
        group: 'x.io',
        scope: 'Cluster',
        names: { plural: 'as', kind: 'A' },
        preserveUnknownFields,
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    } as unknown as CustomResourceDefinition;
    return new VersionSchemas(crd, () => crd);
  };
  const kept = (preserveUnknownFields: boolean): KubeObject => {
    const object: KubeObject = {
      apiVersion: 'x.io/v1',
      kind: 'A',
      spec: { replicas: 1, more: 'x' },
      lists: [{ name: 'a', more: 'x' }],
      more: 'x',
    };
    schemaOf(preserveUnknownFields).byVersion.get('x.io/v1')?.coerce(object);
    return object;
  };

  it('keep them at every depth', () => {
    expect(kept(true)).to.deep.include({
      spec: { replicas: 1, more: 'x' },
      lists: [{ name: 'a', more: 'x' }],
      more: 'x',
    });
    const { lists, more, spec } = kept(false);
    expect({ spec, more, lists }).to.deep.equal({ spec: { replicas: 1 }, more: undefined, lists: [{ name: 'a' }] });
  });

  it('know the fields that they name', () => {
    const spec = schemaOf(true).byVersion.get('x.io/v1')?.props?.properties?.['spec'];
    expect(spec?.properties?.['replicas']).to.include({ type: 'integer', maximum: 3 });
  });
});
