import { encodeWatchFrame } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { closeFrame, messageFrame } from '../streaming/web-socket.ts';
import { FaultyWatch } from './faulty-watch.ts';
import { WebSocketStream } from './web-socket-stream.ts';

const handshake = Buffer.from('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n');
const json = (type: string, filler = ''): Buffer =>
  messageFrame('text', Buffer.from(`{"type":"${type}","object":"${filler}"}\n`));
const protobuf = (type: string): Buffer => messageFrame('binary', encodeWatchFrame(type, Buffer.from([1])).subarray(4));

describe('the stream of a watch over WebSocket', () => {
  const opened = (binary = false): WebSocketStream => {
    const stream = new WebSocketStream(binary);
    stream.sent(handshake);
    return stream;
  };

  it('begins behind the handshake, and is between two events where a frame has ended, wherever its pieces end', () => {
    const events = [json('ADDED'), json('ADDED', 'x'.repeat(300)), json('ADDED', 'y'.repeat(70_000)), closeFrame()];
    const bytes = Buffer.concat([handshake, ...events]);
    const ends = events.map((_, index) => Buffer.concat([handshake, ...events.slice(0, index + 1)]).length);
    const stream = new WebSocketStream(false);
    const between: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const piece = bytes.subarray(at, at + 1);
      expect(stream.leadingBytes(piece)).to.equal(at < handshake.length ? 1 : 0);
      stream.sent(piece);
      if (stream.betweenEvents) between.push(at + 1);
    }
    expect(between).to.deep.equal([handshake.length, ...ends]);
    expect(new WebSocketStream(false).leadingBytes(bytes)).to.equal(handshake.length);
  });

  it('is left alone where the handshake is refused', () => {
    const stream = new WebSocketStream(false);
    const refusal = Buffer.from('HTTP/1.1 403 Forbidden\r\n\r\nno');
    expect(stream.leadingBytes(refusal)).to.equal(refusal.length);
    stream.sent(refusal);
    expect(stream.leadingBytes(Buffer.from('more'))).to.equal(4);
    expect([stream.isOpen, stream.betweenEvents]).to.deep.equal([false, false]);
  });

  for (const [form, event] of [
    ['text', json],
    ['binary', protobuf],
  ] as const)
    it(`loses its bookmarks in ${form}, wherever its pieces end`, () => {
      const bytes = Buffer.concat([event('ADDED'), event('BOOKMARK'), event('DELETED')]);
      for (let size = 1; size <= bytes.length; size++) {
        const stream = opened();
        const sent: Buffer[] = [];
        const watch = new FaultyWatch({
          write: (piece) => {
            stream.sent(piece);
            sent.push(piece);
          },
          end: () => undefined,
        });
        for (let at = 0; at < bytes.length; at += size)
          watch.send(bytes.subarray(at, at + size), stream, { delayMs: 0, withoutBookmarks: true });
        expect(Buffer.concat(sent).equals(Buffer.concat([event('ADDED'), event('DELETED')])), String(size)).to.equal(
          true,
        );
      }
    });

  it('says that it has expired in the form of its events, or of those that were asked for, and ends', () => {
    const started = opened();
    started.sent(protobuf('ADDED'));
    for (const [stream, opcode] of [
      [opened(), 0x81],
      [opened(true), 0x82],
      [started, 0x82],
    ] as const) {
      const bytes = stream.expired();
      expect(bytes[0]).to.equal(opcode);
      const end = stream.endOfEvent(bytes) ?? 0;
      expect(bytes.subarray(end).equals(closeFrame())).to.equal(true);
      expect(bytes.subarray(0, end).includes('Expired')).to.equal(true);
    }
  });
});
