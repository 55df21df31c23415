import { expect } from 'chai';
import fc from 'fast-check';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

function written(write: (writer: WireWriter) => void, sizeHint?: number): Buffer {
  const writer = new WireWriter(sizeHint);
  write(writer);
  return writer.finish();
}

describe('WireWriter', () => {
  const rows: [value: number | bigint, hex: string][] = [
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [16_383, 'ff7f'],
    [16_384, '808001'],
    [2 ** 21, '80808001'],
    [2 ** 28, '8080808001'],
    [2 ** 31, '8080808008'],
    [2 ** 32 - 1, 'ffffffff0f'],
    [2 ** 32, '8080808010'],
    [2 ** 35, '808080808001'],
    [2 ** 53 - 1, 'ffffffffffffff0f'],
    [2n ** 63n - 1n, 'ffffffffffffffff7f'],
    [-1, 'ffffffffffffffffff01'],
    [-1n, 'ffffffffffffffffff01'],
    [-(2 ** 40) - 3, 'fdffffffffdfffffff01'],
    [-(2n ** 63n), '80808080808080808001'],
    [2 ** 63, 'ffffffffffffffff7f'],
  ];
  for (const [value, hex] of rows)
    it(`writes ${value}`, () => {
      expect(written((writer) => writer.integer(value)).toString('hex')).to.equal(hex);
      if (typeof value === 'number' && value >= 0 && value < 2 ** 53)
        expect(written((writer) => writer.varint(value)).toString('hex')).to.equal(hex);
    });

  it('keeps every integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(new WireReader(written((writer) => writer.integer(value))).bigint64()).to.equal(value);
        const number = Number(BigInt.asIntN(53, value));
        expect(new WireReader(written((writer) => writer.integer(number))).int64()).to.equal(number);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every text, however small the first buffer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(70), (text, hint) => {
        const bytes = written((writer) => writer.textField(10, text), hint);
        const reader = new WireReader(bytes);
        expect(reader.tag()).to.equal(10);
        expect(reader.text()).to.equal(text);
        expect(reader.done).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });

  it('writes fields from the last to the first', () => {
    const bytes = written((writer) => {
      const before = writer.length;
      writer.latin1Field(26, 'k\xff');
      writer.doubleField(17, 0.5);
      writer.integerField(8, 300);
      writer.close(10, before);
    }, 1);
    expect(bytes.toString('hex')).to.equal('0a10' + '08ac02' + '11000000000000e03f' + '1a026bff');
  });

  it('puts the prefix of a gRPC message in front', () => {
    const frame = new WireWriter(0);
    frame.bytesField(10, Buffer.alloc(1000, 7));
    const bytes = frame.finishFrame();
    expect(bytes.readUInt8(0)).to.equal(0);
    expect(bytes.readUInt32BE(1)).to.equal(bytes.length - 5);
    expect(new WireWriter(0).finishFrame().toString('hex')).to.equal('0000000000');
  });
});
