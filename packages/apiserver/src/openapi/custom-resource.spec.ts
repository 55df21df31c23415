import { expect } from 'chai';
import type { DescriptionSource } from './built-in-schema.ts';
import { openAPIForCustomResource } from './custom-resource.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3 } from './document-v3.ts';

const descriptions: DescriptionSource = { definition: () => undefined, parameter: () => undefined };
const info = { title: 'T', version: 'v0' };
const thing = {
  group: 'a.example.com',
  version: 'v1',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  namespaced: true,
  status: true,
  scale: false,
  schema: {
    type: 'object',
    description: 'A thing.',
    properties: {
      spec: {
        type: 'object',
        required: ['nul', 'size'],
        properties: {
          nul: { type: 'string', nullable: true },
          size: { 'x-kubernetes-int-or-string': true },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          n: { type: 'integer', default: 1, anyOf: [{ minimum: 1 }] },
        },
      },
    },
  },
};

describe('openAPIForCustomResource', () => {
  const parts = openAPIForCustomResource(thing, descriptions);

  it("publishes paths with the reference's operation ids", () => {
    const { paths } = documentV3(parts.routes, { descriptions, info, schemas: parts.schemas });
    expect(Object.keys(paths)).to.deep.equal([
      '/apis/a.example.com/v1/namespaces/{namespace}/things',
      '/apis/a.example.com/v1/namespaces/{namespace}/things/{name}',
      '/apis/a.example.com/v1/namespaces/{namespace}/things/{name}/status',
      '/apis/a.example.com/v1/things',
    ]);
    expect(parts.routes.map(({ operationId }) => operationId)).to.include.members([
      'listAExampleComV1ThingForAllNamespaces',
      'deleteAExampleComV1CollectionNamespacedThing',
      'patchAExampleComV1NamespacedThingStatus',
    ]);
  });

  it('publishes the schema with implied members, and integer-or-string spelled out', () => {
    const schema = documentV3(parts.routes, { descriptions, info, schemas: parts.schemas }).components.schemas?.[
      'com.example.a.v1.Thing'
    ];
    expect(Object.keys(schema?.properties ?? {})).to.deep.equal(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(schema?.properties?.['spec']?.properties?.['size']).to.deep.equal({
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
    });
    expect(schema?.['x-kubernetes-group-version-kind']).to.deep.equal([
      { group: 'a.example.com', kind: 'Thing', version: 'v1' },
    ]);
  });

  it('leaves out of version 2 what it cannot say', () => {
    const spec = documentV2(parts.routes, { descriptions, info, schemas: parts.schemasV2 }).definitions?.[
      'com.example.a.v1.Thing'
    ]?.properties?.['spec'];
    expect(spec).to.deep.equal({
      type: 'object',
      required: ['size'],
      properties: {
        free: { 'x-kubernetes-preserve-unknown-fields': true },
        n: { type: 'integer' },
        nul: {},
        size: { 'x-kubernetes-int-or-string': true },
      },
    });
  });
});
