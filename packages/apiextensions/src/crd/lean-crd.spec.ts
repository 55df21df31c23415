import { assert } from 'chai';
import type { CustomResourceDefinition } from './crd-types.ts';
import { leanCRD } from './lean-crd.ts';

const schema = {
  type: 'object', description: 'words', title: 'words', example: { a: 1 }, externalDocs: { url: 'x' },
  properties: {
    description: { type: 'string', description: 'words', default: { description: 'a value' }, enum: [{ title: 'a value' }] },
    title: { type: 'array', items: { type: 'string', description: 'words' } },
    map: { type: 'object', additionalProperties: { type: 'object', description: 'words' } },
    open: { type: 'object', additionalProperties: true, not: { title: 'words' }, anyOf: [{ description: 'words', minLength: 1 }] },
  },
};
const crd = (generation: number, more: object = {}): CustomResourceDefinition => structuredClone({
  metadata: { name: 'a', uid: 'u', generation, managedFields: [{ manager: 'm' }], ...more },
  spec: { group: 'x.io', scope: 'Cluster', names: { plural: 'as', kind: 'A' }, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, additionalPrinterColumns: [{ name: 'A', type: 'string', description: 'shown', jsonPath: '.a' }] }, { name: 'v2', served: true, storage: false }] },
} as CustomResourceDefinition);

describe('leanCRD', () => {
  it('leaves the words of schemas out, and nothing that is called like them', () => {
    const { metadata, spec } = leanCRD(crd(1));
    assert.notProperty(metadata, 'managedFields');
    assert.deepEqual(spec.versions[0]?.schema?.openAPIV3Schema, {
      type: 'object',
      properties: {
        description: { type: 'string', default: { description: 'a value' }, enum: [{ title: 'a value' }] },
        title: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'object' } },
        open: { type: 'object', additionalProperties: true, not: {}, anyOf: [{ minLength: 1 }] },
      },
    });
    assert.equal(spec.versions[0]?.additionalPrinterColumns?.[0]?.description, 'shown');
    assert.notProperty(spec.versions[1], 'schema');
  });

  it('shares the spec with what was known of the same generation', () => {
    const known = leanCRD(crd(1));
    assert.strictEqual(leanCRD(crd(1), known).spec, known.spec);
    assert.notStrictEqual(leanCRD(crd(2), known).spec, known.spec);
    assert.notStrictEqual(leanCRD(crd(1, { uid: 'other' }), known).spec, known.spec);
  });
});
