import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { createResourceCodec } from './codec.ts';
import { ownBytes } from './own-bytes.ts';

describe('ownBytes', () => {
  it('takes slices out of what they are slices of', () => {
    const slice = Buffer.from('pooled');
    expect(slice.buffer.byteLength).to.be.greaterThan(slice.byteLength);
    const own = ownBytes(slice);
    expect(own.buffer.byteLength).to.equal(6);
    expect(Buffer.from(own).toString()).to.equal('pooled');
    expect(ownBytes(own)).to.equal(own);
  });

  for (const [name, memory] of [
    ['spliced', { kind: 'Pod', apiVersion: 'v1' }],
    ['encoded anew', undefined],
  ] as const) {
    it(`holds of records whose bytes are ${name}`, () => {
      const codec = createResourceCodec({
        decodeObject: (stored) => JSON.parse(stored.toString()) as KubeObject,
        encodeObject: (object) => Buffer.from(JSON.stringify(object)),
        ...(memory === undefined ? {} : { memory }),
        attributes: () => ({ name: 'a', namespace: '', labels: undefined, fields: {} }),
      });
      const { json } = codec.decode('/a', Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}'), 7);
      expect(json.byteLength).to.equal(json.buffer.byteLength);
      expect(JSON.parse(Buffer.from(json).toString())).to.deep.equal({
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'a', resourceVersion: '7' },
      });
    });
  }
});
