import { expect } from 'chai';
import { Writable } from 'node:stream';
import { endFlag, FrameType, LinkProtocolError, longestFieldsBytes } from './frames.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter, type SendingStream } from './frame-writer.ts';

/** What a reader tells, with the pieces of a body put together. */
function readAll(chunks: readonly Buffer[]): string[] {
  const told: string[] = [];
  let body = '';
  const reader = new FrameReader({
    frame(type, flags, id, payload) {
      told.push(`${type} ${flags} ${id} ${payload.toString('latin1')}`);
    },
    data(id, flags, piece, last) {
      body += piece.toString('latin1');
      if (!last) return;
      told.push(`data ${flags} ${id} ${body}`);
      body = '';
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  return told;
}

const stream = (id: number): SendingStream => ({ id, lastTurn: 0, lastPlace: 0 });

/** Takes what is written, at once. */
function collector(chunks: Buffer[]): Writable {
  return new Writable({
    highWaterMark: 10_000_000,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
}

function written(write: (writer: FrameWriter) => void): Buffer {
  const chunks: Buffer[] = [];
  const writer = new FrameWriter(collector(chunks));
  write(writer);
  writer.flush();
  return Buffer.concat(chunks);
}

describe('frames', () => {
  const large = Buffer.alloc(100_000, 'x');
  const bytes = written((writer) => {
    const one = stream(1);
    writer.text(FrameType.block, { id: 0, text: 'Host\nx\n' });
    writer.text(FrameType.open, { id: 1, number: 0x41424344, text: 'GET\n/\n' });
    writer.body(one, large);
    writer.body(one, Buffer.from('small'));
    writer.frame(FrameType.data, { id: 1, flags: endFlag });
    writer.number(FrameType.credit, 7, 0x30313233);
    writer.frame(FrameType.data, { id: 2, flags: endFlag, payload: Buffer.from('whole') });
  });
  const expected = [
    '1 0 0 Host\nx\n',
    '2 0 1 ABCDGET\n/\n',
    `data 0 1 ${large.toString()}`,
    'data 0 1 small',
    'data 1 1 ',
    '8 0 7 0123',
    'data 1 2 whole',
  ];

  it('are read as they were written', () => {
    expect(readAll([bytes])).to.deep.equal(expected);
  });
  for (const size of [1, 5, 11, 12, 13, 4_096])
    it(`are read the same in chunks of ${size} bytes`, () => {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_unused, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(readAll(chunks)).to.deep.equal(expected);
    });

  it('of the same bytes for several streams are one', () => {
    const event = Buffer.from('event');
    const frames = written((writer) => {
      for (const id of [1, 2, 3]) writer.body(stream(id), event);
    });
    expect(readAll([frames])).to.deep.equal(['9 0 0 \0\0\0\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03event']);
  });
  it('do not overtake others of their stream', () => {
    const [first, second] = [Buffer.from('first'), Buffer.from('second')];
    const [one, two] = [stream(1), stream(2)];
    const frames = written((writer) => {
      writer.body(one, first);
      writer.body(two, second);
      // To join `first` it would have to leave before `second`.
      writer.body(two, first);
      writer.body(one, second);
    });
    expect(readAll([frames])).to.deep.equal([
      'data 0 1 first',
      '9 0 0 \0\0\0\x02\0\0\0\x02\0\0\0\x01second',
      'data 0 2 first',
    ]);
  });
  it('tell who gave their bytes when these are no longer needed', async () => {
    const writer = new FrameWriter(collector([]));
    await Promise.all(
      [Buffer.from('small'), large].map(
        (body, i) =>
          new Promise<void>((resolve) => {
            writer.body(stream(i), body, resolve);
          }),
      ),
    );
  });

  const head = (type: number, length: number): Buffer => {
    const frame = Buffer.alloc(12);
    frame[0] = type;
    frame.writeUInt32BE(length, 8);
    return frame;
  };
  const refused: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['of no type', head(0, 0)],
    ['of an unknown type', head(11, 0)],
    ['that are too long', head(FrameType.open, longestFieldsBytes + 1)],
    ['that are shared and too long', head(FrameType.shared, 0xffff_ffff)],
  ];
  for (const [what, frame] of refused)
    it(`${what} are refused`, () => {
      expect(() => readAll([frame])).to.throw(LinkProtocolError);
    });
});
