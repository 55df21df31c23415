import { WireError } from '@kubechain/apimachinery/wire';
import { expect } from 'chai';
import { KeyValue } from './kv.ts';
import { decode, encode, encodeFrame } from './message.ts';
import { Compare, RangeRequest, TxnRequest } from './rpc-kv.ts';
import { LeaseId } from './rpc-lease.ts';
import { WatchCreateRequest } from './rpc-watch.ts';

describe('protobuf codec', () => {
  const numbers = [
    0,
    1,
    127,
    128,
    16383,
    16384,
    2 ** 28,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 35,
    2 ** 42,
    2 ** 49,
    Number.MAX_SAFE_INTEGER,
    -1,
    -128,
    -(2 ** 32),
    -(2 ** 40) - 3,
  ];
  for (const id of numbers) {
    it(`keeps ${id}`, () => {
      expect(decode(LeaseId, encode(LeaseId, { id }))).to.deep.equal({ id });
    });
  }

  it('writes what protoc writes', () => {
    const encoded = encode(Compare, {
      result: 2,
      target: 3,
      key: 'k\xff',
      version: 0,
      createRevision: 0,
      modRevision: 300,
      value: Buffer.from('v'),
      lease: -1,
      rangeEnd: 'z',
    });
    expect(encoded.toString('hex')).to.equal('080210031a026bff30ac023a017640ffffffffffffffffff018204017a');
  });

  it('reads packed and plain repeated enums', () => {
    expect(decode(WatchCreateRequest, Buffer.from('2a020001', 'hex')).filters).to.deep.equal([0, 1]);
    expect(decode(WatchCreateRequest, Buffer.from('28002801', 'hex')).filters).to.deep.equal([0, 1]);
  });

  it('steps over unknown fields of every wire type', () => {
    const unknown = 'f80101' + 'f9010000000000000000' + 'fa0103616263' + 'fd0100000000';
    expect(decode(RangeRequest, Buffer.from(`${unknown}0a0161`, 'hex')).key).to.equal('a');
    expect(decode(KeyValue, Buffer.from(`${unknown}0a0161`, 'hex')).key).to.equal('a');
  });

  it('refuses messages that are cut short', () => {
    const whole = encode(TxnRequest, {
      compare: [],
      success: [
        {
          requestRange: undefined,
          requestPut: {
            key: 'a',
            value: Buffer.from('long value'),
            lease: 0,
            prevKv: true,
            ignoreValue: false,
            ignoreLease: false,
          },
          requestDeleteRange: undefined,
          requestTxn: undefined,
        },
      ],
      failure: [],
    });
    for (let length = 1; length < whole.length; length++)
      expect(() => decode(TxnRequest, whole.subarray(0, length)), `${length}`).to.throw(WireError);
  });

  it('puts the frame prefix before the message, however small the first buffer', () => {
    const kv = { key: 'k', createRevision: 1, modRevision: 2, version: 3, value: Buffer.alloc(1000, 7), lease: 0 };
    const message = encode(KeyValue, kv);
    for (const hint of [1, 200, 2000]) {
      const frame = encodeFrame(KeyValue, kv, hint);
      expect(frame.readUInt8(0)).to.equal(0);
      expect(frame.readUInt32BE(1)).to.equal(message.length);
      expect(frame.subarray(5).equals(message)).to.equal(true);
    }
  });
});
