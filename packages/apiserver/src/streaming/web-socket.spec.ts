import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Duplex, PassThrough } from 'node:stream';
import { acceptWebSocket, acceptWebSocketProtocol, isWebSocketRequest } from './web-socket-handshake.ts';
import { streamOverWebSocket } from './stream-over-web-socket.ts';
import { clientFrame } from './testing/client-frame.ts';
import { WebSocket } from './web-socket.ts';

/** A socket whose other end is a list of bytes. */
class FakeSocket extends Duplex {
  readonly sent: Buffer[] = [];
  override _read(): void {
    /* pushed by the spec */
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.sent.push(Buffer.from(chunk));
    done();
  }
  get text(): string {
    return Buffer.concat(this.sent).toString('latin1');
  }
}

const handshake = {
  upgrade: 'websocket',
  connection: 'keep-alive, Upgrade',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  origin: 'https://host',
};
const requestWith = (headers: Record<string, string | undefined>, method = 'GET'): IncomingMessage =>
  Object.assign(new EventEmitter(), {
    method,
    headers: Object.fromEntries(
      Object.entries({ ...handshake, ...headers }).filter(([, value]) => value !== undefined),
    ),
  }) as unknown as IncomingMessage;

describe('the WebSocket handshake', () => {
  it('is told by its headers', () => {
    expect(isWebSocketRequest(requestWith({ upgrade: 'WebSocket' }))).to.equal(true);
    expect(isWebSocketRequest(requestWith({ connection: 'keep-alive' }))).to.equal(false);
    expect(isWebSocketRequest(requestWith({ upgrade: 'SPDY/3.1' }))).to.equal(false);
  });

  const answers: readonly (readonly [what: string, request: IncomingMessage, answer: string])[] = [
    [
      'answers with the digest of the key',
      requestWith({}),
      '101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ' +
        's3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
    ],
    [
      'takes a single subprotocol',
      requestWith({ 'sec-websocket-protocol': ' a ' }),
      '101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ' +
        's3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: a\r\n\r\n',
    ],
    ['cannot choose from several', requestWith({ 'sec-websocket-protocol': 'a, b' }), '400 Bad Request\r\n\r\n'],
    ['demands an origin', requestWith({ origin: undefined }), '403 Forbidden\r\n\r\n'],
    ['demands a usable origin', requestWith({ origin: 'null' }), '403 Forbidden\r\n\r\n'],
    [
      'demands version 13',
      requestWith({ 'sec-websocket-version': '8' }),
      '400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version',
    ],
    [
      'demands a key',
      requestWith({ 'sec-websocket-key': undefined }),
      '400 Bad Request\r\n\r\nmismatch challenge/response',
    ],
    ['demands GET', requestWith({}, 'POST'), '405 Method Not Allowed\r\n\r\nbad method'],
  ];
  for (const [what, request, answer] of answers) {
    it(what, async () => {
      const socket = new FakeSocket();
      const accepted = acceptWebSocket(request, socket);
      expect(socket.text).to.equal(`HTTP/1.1 ${answer}`);
      expect(accepted).to.equal(answer.startsWith('101'));
      if (!accepted) await once(socket, 'close');
    });
  }
});

describe('the choice of a subprotocol', () => {
  const rows: readonly (readonly [
    what: string,
    offered: string | undefined,
    supported: readonly string[],
    chosen: string | undefined,
  ])[] = [
    ['takes the first that is supported', 'x, b, a', ['a', 'b'], 'b'],
    ['takes nothing where that is supported', undefined, ['', 'a'], ''],
    ['refuses what is not supported', 'x', ['', 'a'], undefined],
    ['refuses silence where a protocol is needed', undefined, ['a'], undefined],
  ];
  for (const [what, offered, supported, chosen] of rows) {
    it(what, () => {
      const socket = new FakeSocket();
      expect(
        acceptWebSocketProtocol(
          requestWith({ origin: undefined, 'sec-websocket-protocol': offered }),
          socket,
          supported,
        ),
      ).to.equal(chosen);
      if (chosen === undefined) expect(socket.text).to.equal('HTTP/1.1 403 Forbidden\r\n\r\n');
      else expect(socket.text).to.include(`Sec-WebSocket-Protocol: ${chosen}\r\n\r\n`);
    });
  }

  const streams: readonly (readonly [protocol: string | undefined, frames: string])[] = [
    [undefined, '8200' + '82026869' + '880203e8'],
    ['base64.binary.k8s.io', '8100' + '810461476b3d' + '880203e8'],
  ];
  for (const [protocol, frames] of streams) {
    it(`sends a stream as ${protocol ?? 'plain bytes'}`, async () => {
      const socket = new FakeSocket();
      const body = new PassThrough();
      streamOverWebSocket(body, {
        request: requestWith({ 'sec-websocket-protocol': protocol }),
        socket,
        head: Buffer.alloc(0),
      });
      const { length } = Buffer.concat(socket.sent.slice(0, 1));
      body.end('hi');
      await once(socket, 'close');
      expect(Buffer.concat(socket.sent).subarray(length).toString('hex')).to.equal(frames);
    });
  }
});

describe('WebSocket', () => {
  const hex = (socket: FakeSocket): string => Buffer.concat(socket.sent).toString('hex');

  it('writes one unmasked frame for each message', () => {
    const socket = new FakeSocket();
    const connection = new WebSocket(socket, { head: Buffer.alloc(0), kind: 'text' });
    connection.write(Buffer.from('hi'));
    expect(hex(socket)).to.equal('81026869');
    connection.write(Buffer.alloc(126));
    connection.write(Buffer.alloc(65_536));
    const all = Buffer.concat(socket.sent);
    expect(all.subarray(4, 8).toString('hex')).to.equal('817e007e');
    expect(all.subarray(134, 144).toString('hex')).to.equal('817f0000000000010000');
    const binary = new FakeSocket();
    new WebSocket(binary, { head: Buffer.alloc(0), kind: 'binary' }).write(Buffer.from('b'));
    expect(hex(binary)).to.equal('820162');
  });

  it('answers pings, and the close of the client with its own', async () => {
    const socket = new FakeSocket();
    const connection = new WebSocket(socket, { head: clientFrame(9, Buffer.from('p')), kind: 'text' });
    expect(hex(socket)).to.equal('8a0170');
    socket.push(clientFrame(8, Buffer.alloc(0)));
    await once(socket, 'close');
    expect(hex(socket)).to.equal('8a0170' + '880203e8');
    expect(connection.writableEnded).to.equal(true);
  });

  it('tells a client that does not mask what is wrong', async () => {
    const socket = new FakeSocket();
    new WebSocket(socket, { head: Buffer.alloc(0), kind: 'text' });
    socket.push(clientFrame(1, Buffer.from('x'), { masked: false }));
    await once(socket, 'close');
    expect(hex(socket)).to.equal('880203ea' + '880203e8');
  });
});
