import { expect } from 'chai';
import { dataFrame, pingFrame, resetFrame, SpdyReader } from './spdy-frames.ts';

describe('SpdyReader', () => {
  const setUp = () => {
    const seen: string[] = [];
    const reader = new SpdyReader({
      reply: (id) => seen.push(`reply ${id}`),
      data: (id, chunk) => seen.push(`data ${id} ${chunk.toString()}`),
      end: (id) => seen.push(`end ${id}`),
      reset: (id) => seen.push(`reset ${id}`),
      ping: (id) => seen.push(`ping ${id}`),
    });
    return { reader, seen };
  };
  const frames = Buffer.concat([
    pingFrame(2),
    dataFrame(1, Buffer.from('a')),
    resetFrame(3),
    dataFrame(1, Buffer.alloc(0), true),
    pingFrame(4),
  ]);
  const all = ['ping 2', 'data 1 a', 'reset 3', 'end 1', 'ping 4'];

  it('reads frames however they are cut', () => {
    for (let size = 1; size <= frames.length; size++) {
      const { reader, seen } = setUp();
      for (let at = 0; at < frames.length; at += size) reader.push(frames.subarray(at, at + size));
      expect(seen, `pieces of ${size}`).to.deep.equal(all);
    }
  });

  it('keeps nothing of a control frame that is too long, and goes on behind it', () => {
    const { reader, seen } = setUp();
    const long = Buffer.concat([Buffer.from('80030006000f0000', 'hex'), Buffer.alloc(0x0f0000)]);
    const concat = Buffer.concat.bind(Buffer);
    let copied = 0;
    Buffer.concat = (list, ...rest) => {
      for (const { length } of list) copied += length;
      return concat(list, ...rest);
    };
    try {
      for (let at = 0; at < long.length; at += 65_000) reader.push(long.subarray(at, at + 65_000));
    } finally {
      Buffer.concat = concat;
    }
    reader.push(frames);
    expect(seen).to.deep.equal(all);
    expect(copied).to.be.below(70_000);
  });

  it('copies none that comes whole', () => {
    const { reader, seen } = setUp();
    const concat = Buffer.concat.bind(Buffer);
    let copies = 0;
    Buffer.concat = (...args) => {
      copies++;
      return concat(...args);
    };
    try {
      reader.push(frames);
    } finally {
      Buffer.concat = concat;
    }
    expect([copies, ...seen]).to.deep.equal([0, ...all]);
  });
});
