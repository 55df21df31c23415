import { expect } from 'chai';
import { GRPCMessages } from './grpc-messages.ts';

describe('messages of a gRPC call', () => {
  const framed = (...texts: readonly string[]): Buffer =>
    Buffer.concat(
      texts.map((text) => {
        const prefix = Buffer.alloc(5);
        prefix.writeUInt32BE(text.length, 1);
        return Buffer.concat([prefix, Buffer.from(text)]);
      }),
    );
  const all = (): void => undefined;

  it('are found in bytes that come in any pieces', () => {
    const texts = ['first', '', 'x'.repeat(300), 'last'];
    const bytes = framed(...texts);
    for (const size of [1, 2, 5, 7, 100, bytes.length]) {
      const messages = new GRPCMessages(all);
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        for (const message of messages.push(bytes.subarray(at, at + size))) found.push(message.toString());
      expect(found, `pieces of ${size}`).to.deep.equal(texts);
    }
  });

  it('are refused by what stands before them, before they have come', () => {
    const messages = new GRPCMessages((compressed, length) => {
      if (compressed) throw new RangeError('compressed');
      if (length > 10) throw new RangeError(`${length} bytes`);
    });
    expect(messages.push(framed('0123456789'))).to.have.length(1);
    expect(() => messages.push(framed('01234567890').subarray(0, 5))).to.throw('11 bytes');
    const compressed = framed('a');
    compressed[0] = 1;
    expect(() =>
      new GRPCMessages(() => {
        throw new RangeError('compressed');
      }).push(compressed),
    ).to.throw('compressed');
  });
});
