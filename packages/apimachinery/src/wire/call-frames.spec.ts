import { expect } from 'chai';
import { callFrame, CallFrameReader, CallFrameType } from './call-frames.ts';

const { message, ping, end } = CallFrameType;

describe('frames of a call', () => {
  const read = (pieces: readonly Buffer[], wanted = (length: number): number => length): [number, string, number][] => {
    const found: [number, string, number][] = [];
    const reader = new CallFrameReader({
      head: (_type, length) => wanted(length),
      frame: (type, payload, length) => found.push([type, payload.toString(), length]),
    });
    for (const piece of pieces) reader.push(piece);
    return found;
  };
  const sent = [
    callFrame(message, Buffer.from('first')),
    callFrame(ping),
    callFrame(message),
    callFrame(message, Buffer.from('x'.repeat(300))),
    callFrame(end, Buffer.from('\u0005gone')),
  ];
  const all = [
    [message, 'first', 5],
    [ping, '', 0],
    [message, '', 0],
    [message, 'x'.repeat(300), 300],
    [end, '\u0005gone', 5],
  ];
  const cut = (bytes: Buffer, size: number): Buffer[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

  it('are found in bytes that come in any pieces', () => {
    for (let size = 1; size < 350; size++) expect(read(cut(Buffer.concat(sent), size)), `${size}`).to.deep.equal(all);
  });

  it('are the bytes that gRPC puts before a message', () => {
    expect(callFrame(message, Buffer.from('ab'))).to.deep.equal(Buffer.from([0, 0, 0, 0, 2, 0x61, 0x62]));
  });

  it('stay what they are when the bytes are read over', () => {
    const kept: Buffer[] = [];
    const reader = new CallFrameReader({
      head: (_type, length) => length,
      frame: (_type, payload) => kept.push(payload),
    });
    const buffer = callFrame(message, Buffer.from('kept'));
    reader.push(buffer);
    buffer.fill(0);
    expect(kept.map(String)).to.deep.equal(['kept']);
  });

  it('are passed over but for the bytes that are wanted, however many there are', () => {
    for (const size of [1, 7, 50, 1_000])
      expect(
        read(cut(Buffer.concat(sent), size), (length) => Math.min(length, 2)).map(([, text, length]) => [text, length]),
      ).to.deep.equal([
        ['fi', 5],
        ['', 0],
        ['', 0],
        ['xx', 300],
        ['\u0005g', 5],
      ]);
  });

  it('are refused by what stands before them, before they have come', () => {
    const reader = new CallFrameReader({
      head: (type, length) => {
        throw new RangeError(`${type} ${length}`);
      },
      frame: () => undefined,
    });
    expect(() => reader.push(Buffer.from([9, 0xff, 0xff, 0xff, 0xff]))).to.throw('9 4294967295');
  });
});
