import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { codecCounters } from './codec-counters.ts';
import { createResourceCodec } from './codec.ts';
import type { ResourceCodec } from './interfaces.ts';

/** A codec whose bytes cannot be served as they are. */
const codecOf = (): ResourceCodec =>
  createResourceCodec({
    decodeObject: (stored) => JSON.parse(Buffer.from(stored).toString()) as KubeObject,
    encodeObject: (object) => Buffer.from(JSON.stringify(object)),
    attributes: ({ metadata }) => ({ name: metadata?.name ?? '', namespace: '', labels: undefined, fields: {} }),
  });
const object = (name: string, size = 0): KubeObject => ({ metadata: { name }, data: 'x'.repeat(size) });
const copy = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
const decodesOf = (action: () => void): number => {
  const { decodes } = codecCounters;
  action();
  return codecCounters.decodes - decodes;
};

describe('recentlyEncoded', () => {
  for (const [first, order] of [
    ['answer', [0, 1]],
    ['event', [1, 0]],
  ] as const) {
    it(`needs one decode for a write and its event, the ${first} first`, () => {
      const codec = codecOf();
      const value = codec.encode(object('a'));
      const readers = [
        () => codec.recordOf?.('/a', { object: object('a'), value, revision: 7 }),
        () => codec.decode('/a', copy(value), 7),
      ];
      expect(
        decodesOf(() => {
          expect(readers[order[0]]?.()).to.equal(readers[order[1]]?.());
        }),
      ).to.equal(1);
    });
  }

  it('decodes what is another object, revision or resource', () => {
    const codec = codecOf();
    const value = codec.encode(object('a'));
    const record = codec.decode('/a', value, 7);
    expect(
      decodesOf(() => {
        expect(codec.decode('/a', value, 8).revision).to.equal(8);
        expect(codec.decode('/b', value, 8).key).to.equal('/b');
        expect(codec.decode('/a', copy(codecOf().encode(object('b'))), 8).attributes.name).to.equal('b');
        expect(codecOf().decode('/a', value, 7)).to.not.equal(record);
      }),
    ).to.equal(4);
  });

  it('tells whether a record is what would be stored without encoding it', () => {
    const codec = codecOf();
    const value = codec.encode(object('a'));
    const record = codec.decode('/a', value, 7);
    const { encodes } = codecCounters;
    expect(codec.storesAs?.(record, copy(value))).to.equal(true);
    expect(codec.storesAs?.(record, Buffer.from('{}'))).to.equal(false);
    expect(codecCounters.encodes).to.equal(encodes);
  });

  it('keeps no more than 64 values, and 4 MiB', () => {
    const codec = codecOf();
    const first = codec.encode(object('first'));
    codec.decode('/first', first, 1);
    for (let i = 0; i < 63; i++) codec.encode(object(`a${i}`));
    expect(
      decodesOf(() => {
        codec.decode('/first', first, 1);
      }),
    ).to.equal(0);
    codec.encode(object('last'));
    expect(
      decodesOf(() => {
        codec.decode('/first', first, 1);
      }),
    ).to.equal(1);
    const large = codec.encode(object('large', 3 * 1024 * 1024));
    codec.decode('/large', large, 1);
    codec.encode(object('larger', 2 * 1024 * 1024));
    expect(
      decodesOf(() => {
        codec.decode('/large', large, 1);
      }),
    ).to.equal(1);
  });
});
