import { encodeCBOR, isCBOR } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { customCodec } from './custom-codec.ts';
import { DefaultedBytes } from './defaulted-bytes.ts';
import { VersionSchemas } from './version-schema.ts';

describe('customCodec', () => {
  const codecOf = (cbor: boolean): ReturnType<typeof customCodec> =>
    customCodec(
      new Map(),
      ({ metadata }) => ({ name: metadata?.name ?? '', namespace: '', labels: undefined, fields: {} }),
      { cbor },
    );
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

  it('reads no more than defaultedBytes that defaults have added, of all that somebody has', () => {
    const definition = {
      metadata: { name: 'things.x.io' },
      spec: {
        group: 'x.io',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { d: { type: 'string', default: 'x'.repeat(name === 'v1' ? 2_000 : 200) } },
            },
          },
        })),
      },
    } as unknown as CustomResourceDefinition;
    const schema = new VersionSchemas(definition, () => definition);
    const whole = new DefaultedBytes(10_500);
    const codecOf = (): ReturnType<typeof customCodec> =>
      customCodec(
        schema.byVersion,
        ({ metadata }) => ({ name: metadata?.name ?? '', namespace: '', labels: undefined, fields: {} }),
        {
          cbor: false,
          defaulted: new DefaultedBytes(6_500, whole),
        },
      );
    const stored = (apiVersion: string, name: string): Buffer =>
      Buffer.from(JSON.stringify({ apiVersion, kind: 'Thing', metadata: { name } }));
    const [one, other] = [codecOf(), codecOf()];
    const kept = [1, 2, 3].map((n) => one.decode(`k${n}`, stored('x.io/v1', `k${n}`), n));
    const tooMuch = 'the defaults of the definition add too much to its objects';
    expect(() => one.decode('k4', stored('x.io/v1', 'k4'), 4)).to.throw(tooMuch);
    // Small ones are not counted.
    one.decode('k4', stored('x.io/v2', 'k4'), 4);
    kept.push(...[1, 2].map((n) => other.decode(`k${n}`, stored('x.io/v1', `k${n}`), n)));
    expect(() => other.decode('k3', stored('x.io/v1', 'k3'), 3)).to.throw(tooMuch);
    expect(kept).to.have.length(5);
  });
});
