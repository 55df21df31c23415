import { encodeCBOR, isCBOR } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { customCodec } from './custom-codec.ts';

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
});
