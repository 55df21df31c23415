import { encodeCBOR, isCBOR, type KubeObject } from '@kubechain/apimachinery';
import type { ObjectAttributes } from '@kubechain/shared-storage';
import { expect } from 'chai';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { customCodec } from './custom-codec.ts';
import { VersionSchemas } from './version-schema.ts';

/** A definition of Things, whose versions have these schemas; the first one is stored. */
function definitionOf(schemas: Readonly<Record<string, object>>): CustomResourceDefinition {
  const versions = Object.entries(schemas).map(([name, openAPIV3Schema], i) => ({
    name,
    served: true,
    storage: i === 0,
    schema: { openAPIV3Schema },
  }));
  return {
    metadata: { name: 'things.x.io' },
    spec: { group: 'x.io', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions },
  } as unknown as CustomResourceDefinition;
}

const attributesOf = ({ metadata }: KubeObject): ObjectAttributes => ({
  name: metadata?.name ?? '',
  namespace: '',
  labels: undefined,
  fields: {},
});

describe('customCodec', () => {
  const codecOf = (cbor: boolean): ReturnType<typeof customCodec> => customCodec(new Map(), attributesOf, { cbor });
  const object = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { n: 2n ** 60n, f: 1.5 } };

  it('writes CBOR where it is to, equal objects as equal bytes, and reads both forms in any case', () => {
    const { apiVersion, ...rest } = object;
    const [json, cbor] = [codecOf(false), codecOf(true)];
    const stored = Buffer.from(cbor.encode(object));
    expect(isCBOR(stored)).to.equal(true);
    expect(isCBOR(json.encode(object))).to.equal(false);
    expect(Buffer.from(cbor.encode({ ...rest, apiVersion }))).to.deep.equal(stored);
    for (const codec of [json, cbor])
      for (const bytes of [stored, json.encode(object), encodeCBOR(object)]) {
        const read = codec.decode('k', bytes, 7);
        expect(read.object()).to.deep.equal({ ...object, metadata: { name: 'a', resourceVersion: '7' } });
        expect(read.attributes.name).to.equal('a');
      }
    expect(cbor.storesAs?.(cbor.decode('k', stored, 7), stored)).to.equal(true);
    expect(() => json.decode('k', Buffer.from('d9d9f7a1', 'hex'), 7)).to.throw('unexpected EOF');
  });

  it('says of what others have stored what is wrong with it', () => {
    const definition = definitionOf({ v1: { type: 'object' } });
    const codec = customCodec(new VersionSchemas(definition, () => definition).byVersion, attributesOf, {
      cbor: false,
      storageVersion: { group: 'x.io', version: 'v1' },
    });
    const read = (stored: string): unknown => codec.decode('k', Buffer.from(stored), 7).object();
    const refusals: readonly (readonly [string, string])[] = [
      ['', 'unexpected end of JSON input'],
      ['kind: Thing', "invalid character 'k' looking for beginning of value"],
      ['5', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
      ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
      ['null', "Object 'Kind' is missing in 'null'"],
      ['{"kind":5}', `Object 'Kind' is missing in '{"kind":5}'`],
      [
        '{"Kind":"Thing","apiVersion":"x.io/v1"}',
        `Object 'Kind' is missing in '{"Kind":"Thing","apiVersion":"x.io/v1"}'`,
      ],
      ['{"kind":"Thing","apiVersion":"a/b/c"}', `Object 'Kind' is missing in '{"kind":"Thing","apiVersion":"a/b/c"}'`],
      ['{"kind":"Thing"}', '/, Kind=Thing is unstructured and is not suitable for converting to "x.io/v1"'],
      ['{"kind":"S","apiVersion":"v1"}', '/v1, Kind=S is unstructured and is not suitable for converting to "x.io/v1"'],
      ['{"kind":"Thing","apiVersion":"x.io/v7"}', 'request to convert CR from an invalid group/version: x.io/v7'],
    ];
    const found = refusals.map(([stored]) => {
      try {
        return [stored, read(stored)];
      } catch (error) {
        return [stored, (error as Error).message];
      }
    });
    expect(found).to.deep.equal(refusals);
    const other = { apiVersion: 'x.io/v1', kind: 'Other', metadata: { name: 'a' }, unknown: 1 };
    expect(read(JSON.stringify(other)), 'is neither pruned nor completed').to.deep.equal({
      ...other,
      metadata: { name: 'a', resourceVersion: '7' },
    });
  });

  it('tells what defaults have added to a record, where it is much', () => {
    const defaulting = (letters: number): object => ({
      type: 'object',
      properties: { d: { type: 'string', default: 'x'.repeat(letters) } },
    });
    const definition = definitionOf({ v1: defaulting(2_000), v2: defaulting(200) });
    const schema = new VersionSchemas(definition, () => definition);
    const codec = customCodec(schema.byVersion, attributesOf, { cbor: false });
    const addedTo = (version: string): number | undefined => {
      const value = Buffer.from(
        JSON.stringify({ apiVersion: `x.io/${version}`, kind: 'Thing', metadata: { name: 'a' } }),
      );
      return codec.addedBytes?.(codec.decode('k', value, 1));
    };
    expect(addedTo('v1')).to.be.within(2_000, 2_020);
    expect(addedTo('v2')).to.equal(0);
    // A write is decoded once for those who follow it: it is told of that record too.
    const object = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'a' } };
    const value = codec.encode(object);
    const written = codec.recordOf?.('k', { object, value, revision: 3 });
    expect(codec.decode('k', value, 3)).to.equal(written);
    expect(codec.addedBytes?.(codec.decode('k', value, 3))).to.be.within(2_000, 2_020);
  });
});
