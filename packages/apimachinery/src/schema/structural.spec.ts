import { expect } from 'chai';
import { structuralSchema, type OpenAPIV3Schema } from './structural.ts';

describe('structuralSchema', () => {
  const root: OpenAPIV3Schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } },
      spec: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          n: { type: 'integer', default: 1, nullable: true },
          port: { 'x-kubernetes-int-or-string': true },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', properties: { k: { type: 'string' } } },
          },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  };

  it('is made once per schema', () => {
    expect(structuralSchema(root)).to.equal(structuralSchema(root));
  });

  it('implies apiVersion, kind and metadata at the root', () => {
    const { fields } = structuralSchema(root);
    expect([...fields.keys()]).to.deep.equal(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(fields.get('metadata')?.schema).to.include({
      kind: 'struct',
      name: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    });
  });

  it('has the shape of the values', () => {
    const spec = structuralSchema(root).fields.get('spec');
    expect(spec).to.deep.include({ required: true });
    if (spec?.schema.kind !== 'struct') throw new TypeError('spec is a struct');
    expect(spec.schema.mapType).to.equal('atomic');
    const shapes = [...spec.schema.fields.values()].map(({ schema, default: value }) => ({
      kind: schema.kind,
      type: schema.kind === 'scalar' ? schema.type : undefined,
      value,
      nullable: schema.nullable,
    }));
    expect(shapes).to.deep.equal([
      { kind: 'scalar', type: 'integer', value: 1, nullable: true },
      { kind: 'any', type: undefined, value: undefined, nullable: undefined },
      { kind: 'map', type: undefined, value: undefined, nullable: undefined },
      { kind: 'list', type: undefined, value: undefined, nullable: undefined },
      { kind: 'struct', type: undefined, value: undefined, nullable: undefined },
    ]);
    expect(spec.schema.fields.get('list')?.schema).to.deep.include({ listType: 'map', mapKeys: ['k'] });
  });

  it('knows the metadata of embedded objects, whatever else they hold', () => {
    const embedded = structuralSchema({
      type: 'object',
      properties: {
        e: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    }).fields.get('e')?.schema;
    expect(embedded).to.include({ kind: 'struct', preserveUnknown: true, embeddedResource: true });
    expect(embedded?.kind === 'struct' ? [...embedded.fields.keys()] : []).to.deep.equal([
      'apiVersion',
      'kind',
      'metadata',
    ]);
  });

  it('keeps everything where there is no schema', () => {
    expect(structuralSchema(undefined)).to.include({ kind: 'struct', preserveUnknown: true });
  });
});
