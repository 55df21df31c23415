import { expect } from 'chai';
import fc from 'fast-check';
import { limits } from '../limits/limits.ts';
import { WireError } from './wire-error.ts';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

const of = (hex: string): WireReader => new WireReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const none = 'ff ff ff ff ff ff ff ff ff 01';

describe('WireReader', () => {
  describe('integers', () => {
    const rows: [hex: string, varint: number, int64: number | bigint, int32: number][] = [
      ['00', 0, 0, 0],
      ['7f', 127, 127, 127],
      ['80 01', 128, 128, 128],
      ['ff ff ff ff 07', 2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
      ['80 80 80 80 08', 2 ** 31, 2 ** 31, -(2 ** 31)],
      ['ff ff ff ff 0f', 2 ** 32 - 1, 2 ** 32 - 1, -1],
      ['80 80 80 80 10', 2 ** 32, 2 ** 32, 0],
      ['ff ff ff ff ff ff ff 0f', 2 ** 53 - 1, 2 ** 53 - 1, -1],
      ['81 80 80 80 80 80 80 10', 2 ** 53, 2n ** 53n + 1n, 1],
      ['ff ff ff ff ff ff ff ff 7f', 2 ** 63, 2n ** 63n - 1n, -1],
      [none, 2 ** 64, -1, -1],
      ['80 80 80 80 80 80 80 80 80 01', 2 ** 63, -(2n ** 63n), 0],
      ['fe ff ff ff 0f', 2 ** 32 - 2, 2 ** 32 - 2, -2],
      ['80 80 00', 0, 0, 0],
      // The tenth byte has one bit of 64; what is beyond is lost.
      ['80 80 80 80 80 80 80 80 80 02', 0, 0, 0],
    ];
    for (const [hex, varint, int64, int32] of rows)
      it(`reads ${hex}`, () => {
        expect(of(hex).varint()).to.equal(varint);
        expect(of(hex).int64()).to.equal(int64);
        expect(of(hex).bigint64()).to.equal(BigInt(int64));
        expect(of(hex).integer()).to.equal(Number(int64));
        expect(of(hex).int32()).to.equal(int32);
        expect(of(hex).bool()).to.equal(varint !== 0);
      });
  });

  describe('refuses', () => {
    const group = (tags: string): string => `0b ${tags}`;
    const rows: [what: string, hex: string, read: (reader: WireReader) => unknown, text: string][] = [
      ['a varint that is cut', '80', (reader) => reader.varint(), 'unexpected EOF'],
      ['no bytes at all', '', (reader) => reader.varint(), 'unexpected EOF'],
      ['a varint of eleven bytes', `80 ${none}`, (reader) => reader.int64(), 'proto: integer overflow'],
      ['field number 0', '02', (reader) => reader.tag(), 'proto: illegal tag 0 (wire type 2)'],
      ['no field number', '80 00', (reader) => reader.tag('Unknown'), 'proto: Unknown: illegal tag 0 (wire type 0)'],
      [
        'a field number of 33 bits, of which 32 are none',
        '82 80 80 80 80 01',
        (reader) => reader.tag(),
        'proto: illegal tag 0 (wire type 34359738370)',
      ],
      [
        'a field number that is negative',
        '80 80 80 80 40',
        (reader) => reader.tag(),
        'proto: illegal tag -2147483648 (wire type 17179869184)',
      ],
      [
        'a tag of 64 bits',
        none,
        (reader) => reader.tag('Unknown'),
        'proto: Unknown: illegal tag -1 (wire type 18446744073709551615)',
      ],
      ['bytes that are cut', '05 61', (reader) => reader.bytes(), 'unexpected EOF'],
      ['text that is cut', '05 61', (reader) => reader.text(), 'unexpected EOF'],
      ['latin1 that is cut', '05 61', (reader) => reader.latin1(), 'unexpected EOF'],
      ['a message that is cut', '05 61', (reader) => reader.enter(), 'unexpected EOF'],
      ['a double that is cut', '00 00 00', (reader) => reader.double(), 'unexpected EOF'],
      ['a negative length', none, (reader) => reader.bytes(), 'proto: negative length found during unmarshaling'],
      ['a length of 2^62', '80 80 80 80 80 80 80 80 40', (reader) => reader.bytes(), 'unexpected EOF'],
      ['a fixed64 that is cut', '', (reader) => reader.skip(9), 'unexpected EOF'],
      ['a fixed32 that is cut', '00 00', (reader) => reader.skip(13), 'unexpected EOF'],
      ['a group without end', '08 01', (reader) => reader.skip(11), 'unexpected EOF'],
      ['an end without group', '', (reader) => reader.skip(12), 'proto: unexpected end of group'],
      ['wire type 6', '', (reader) => reader.skip(14), 'proto: illegal wireType 6'],
      ['wire type 7 within a group', '0f', (reader) => reader.skip(11), 'proto: illegal wireType 7'],
      ['groups within groups, one left open', group('0c'), (reader) => reader.skip(11), 'unexpected EOF'],
    ];
    for (const [what, hex, read, text] of rows)
      it(what, () => {
        expect(() => read(of(hex))).to.throw(WireError, text);
      });

    it('what lies behind the message it is in', () => {
      const reader = of('02 12 05 61 62 63 64 65');
      reader.enter();
      expect(reader.tag()).to.equal(18);
      expect(() => reader.bytes()).to.throw(WireError, 'unexpected EOF');
    });

    it('more nested messages than protobufDepth, also those of other readers', () => {
      const writer = new WireWriter();
      for (let depth = 0; depth <= limits.protobufDepth.value; depth++) writer.close(10, 0);
      const descend = (reader: WireReader): number => {
        while (reader.tag() === 10) reader.enter();
        return reader.depth;
      };
      const bytes = writer.finish();
      expect(() => descend(new WireReader(bytes))).to.throw(WireError, 'proto: exceeded max depth');
      const one = new WireReader(Buffer.from('0a00', 'hex'), 0, 2, limits.protobufDepth.value);
      expect(() => descend(one)).to.throw(WireError, 'proto: exceeded max depth');
      expect(descend(new WireReader(Buffer.from('0a00', 'hex'), 0, 2, limits.protobufDepth.value - 1))).to.equal(
        limits.protobufDepth.value,
      );
    });
  });

  it('skips fields of every wire type', () => {
    const reader = of(
      'f8 01 80 01  f9 01 00 00 00 00 00 00 00 00  fa 01 03 61 62 63  fd 01 00 00 00 00  0b 13 08 01 14 0c  0a 01 61',
    );
    for (let tag = reader.tag(); tag !== 10; tag = reader.tag()) reader.skip(tag);
    expect(reader.text()).to.equal('a');
    expect(reader.done).to.equal(true);
    expect(reader.tag()).to.equal(0);
  });

  it('cuts field numbers to 32 bits, and tells of those that no field has as of one', () => {
    const rows: [hex: string, tag: number][] = [
      // 2^32 + 1
      ['8a 80 80 80 80 01', 0x0a],
      ['8a 80 80 80 10', 0xfffffffa],
      ['fa ff ff ff 3f', 0xfffffffa],
      ['fa ff ff ff 0f', 0xfffffffa],
      ['f2 ff ff ff 0f', 0xfffffff2],
      // The end of a group is refused as that by who reads it.
      ['04', 4],
      ['84 80 80 80 80 01', 4],
    ];
    for (const [hex, tag] of rows) expect(of(hex).tag(), hex).to.equal(tag);
  });

  it('skips groups however deep they nest', () => {
    const depth = 1_000_000;
    const reader = new WireReader(Buffer.concat([Buffer.alloc(depth, 0x0b), Buffer.alloc(depth, 0x0c)]));
    reader.skip(reader.tag());
    expect(reader.done).to.equal(true);
  });

  it('goes on behind a message of which it read a part', () => {
    const reader = of('0a 04 08 01 10 02  10 07');
    reader.tag();
    const outer = reader.enter();
    expect([reader.tag(), reader.integer(), reader.depth]).to.deep.equal([8, 1, 1]);
    reader.leave(outer);
    expect([reader.tag(), reader.integer(), reader.depth, reader.tag()]).to.deep.equal([16, 7, 0, 0]);
  });

  it('gives views of the input', () => {
    const bytes = Buffer.from('0203040506', 'hex');
    const reader = new WireReader(bytes);
    const view = reader.bytes();
    bytes[1] = 0xff;
    expect(view.toString('hex')).to.equal('ff04');
    expect(reader.rest().toString('hex')).to.equal('0506');
    expect(reader.done).to.equal(true);
  });

  it('reads random bytes or throws WireError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const reader = new WireReader(Buffer.from(bytes));
        try {
          for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) reader.skip(tag);
          expect(reader.done).to.equal(true);
        } catch (error) {
          expect(error).to.be.instanceOf(WireError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
