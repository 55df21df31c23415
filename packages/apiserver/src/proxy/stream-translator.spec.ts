import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { wantsChannels } from '../streaming/command-channels.ts';
import { internalContext } from '../registry/rest/internal-context.ts';
import type { CommandStreams } from '../streaming/remote-command.ts';
import { SpdyPeer } from '../streaming/testing/spdy-peer.ts';
import type { Backend } from './backend.ts';
import { tunnelSpdy, wantsTunnel } from './spdy-tunnel.ts';
import { translateStreams } from './stream-translator.ts';

/** A WebSocket client of this Node, whose messages are kept. */
class Client {
  readonly messages: Buffer[] = [];
  readonly socket: WebSocket;
  readonly #events = new EventEmitter();
  closed: number | undefined = undefined;

  constructor(port: number, protocols: string[]) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/`, protocols);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('message', ({ data }) => {
      this.messages.push(Buffer.from(data as ArrayBuffer));
      this.#events.emit('change');
    });
    this.socket.addEventListener('close', ({ code }) => {
      this.closed = code;
      this.#events.emit('change');
    });
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await once(this.#events, 'change');
  }
  send(channel: number, text: string | Uint8Array): void {
    this.socket.send(Buffer.concat([Buffer.of(channel), typeof text === 'string' ? Buffer.from(text) : text]));
  }
  /** What came on a channel. */
  of(channel: number): string {
    return Buffer.concat(
      this.messages.filter(([first]) => first === channel).map((message) => message.subarray(1)),
    ).toString();
  }
}

describe('streams of pods over WebSocket', () => {
  let kubelet: Server;
  let front: Server;
  let kubeletPort = 0;
  let frontPort = 0;
  let seen: IncomingMessage;
  let peer: SpdyPeer | undefined;
  const arrivals = new EventEmitter();
  let streams: CommandStreams;
  let onUpgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
  let port: number | undefined;
  /** Why they have ended. */
  let ends: string[];

  const speakSPDY = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ` +
        `SPDY/3.1\r\nX-Stream-Protocol-Version: ` +
        `${(request.headers['x-stream-protocol-version'] as string).split(', ')[0] ?? ''}\r\n\r\n`,
    );
    peer = new SpdyPeer(socket, head);
    peer.onFrame = () => {
      arrivals.emit('frame');
    };
  };
  const untilKubelet = async (done: () => boolean): Promise<void> => {
    while (!done()) await once(arrivals, 'frame');
  };

  before(async () => {
    kubelet = createServer((_request, response) => {
      response.writeHead(404).end('no such pod\n');
    });
    kubelet.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      seen = request;
      onUpgrade(request, socket, head);
    });
    front = createServer();
    front.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const { request: context } = internalContext({ groupResource: { group: '', resource: 'pods' } });
      const backend: Backend = {
        scheme: 'http',
        host: `127.0.0.1:${port ?? kubeletPort}`,
        tls: {},
        path: '/exec/n/p/c',
        query: 'command=ls',
        upgradeCounts: () => ({
          ended: ({ kind }) => {
            ends.push(kind);
            arrivals.emit('frame');
          },
        }),
      };
      const exchange = {
        kind: 'upgrade',
        request,
        socket,
        head,
        response: () => {
          throw new TypeError('not asked for');
        },
      } as const;
      const answered = wantsTunnel(exchange)
        ? tunnelSpdy(context, exchange, backend)
        : wantsChannels(request)
          ? translateStreams(context, exchange, { backend, streams })
          : Promise.reject(new TypeError('unknown protocol'));
      answered.catch((error: unknown) => {
        socket.end(`HTTP/1.1 500 ${String(error)}\r\n\r\n`);
      });
    });
    await Promise.all([kubelet, front].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    kubeletPort = (kubelet.address() as AddressInfo).port;
    frontPort = (front.address() as AddressInfo).port;
  });
  beforeEach(() => {
    streams = { stdin: true, stdout: true, stderr: true, tty: false };
    onUpgrade = speakSPDY;
    port = undefined;
    peer = undefined;
    ends = [];
  });
  after(async () => {
    await Promise.all(
      [kubelet, front].map(
        (server) =>
          new Promise((resolve) => {
            server.close(resolve).closeAllConnections();
          }),
      ),
    );
  });

  const statusOf = (client: Client): unknown => JSON.parse(client.of(3));

  it('become SPDY, and end with a status', async () => {
    const client = new Client(frontPort, ['v5.channel.k8s.io']);
    await client.until(() => client.messages.length === 1);
    expect(client.messages[0]).to.deep.equal(Buffer.of(1));
    client.send(0, 'input');
    client.send(9, 'nobody');
    client.send(255, Uint8Array.of(0));
    await untilKubelet(() => peer?.stream('stdin')?.ended === true);
    expect(peer?.stream('stdin')?.data.toString()).to.equal('input');
    expect([seen.method, seen.url, seen.headers['x-stream-protocol-version']]).to.deep.equal([
      'POST',
      '/exec/n/p/c?command=ls',
      'v5.channel.k8s.io, v4.channel.k8s.io, v3.channel.k8s.io, v2.channel.k8s.io, channel.k8s.io',
    ]);
    peer?.say('stdout', 'out');
    peer?.say('stderr', 'err');
    peer?.say(
      'error',
      '{"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode",' +
        '"message":"3"}]}}',
    );
    await client.until(() => client.closed !== undefined);
    expect([client.of(1), client.of(2), client.closed]).to.deep.equal(['out', 'err', 1000]);
    expect(ends).to.deep.equal(['completed']);
    expect(client.of(3)).to.equal(
      '{"metadata":{},"status":"Failure","message":"command terminated with non-zero exit code: command ' +
        'terminated with exit code 3","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode",' +
        '"message":"3"}]}}',
    );
  });

  it('tell terminals their size', async () => {
    streams = { stdin: false, stdout: true, stderr: false, tty: true };
    const client = new Client(frontPort, ['v5.channel.k8s.io']);
    await client.until(() => client.messages.length === 1);
    client.send(4, '{"Width":80,"Hei');
    client.send(4, 'ght":24}{"width":1,"height":2}\n');
    await untilKubelet(() => peer?.stream('resize')?.data.toString().includes('"Height":2}') === true);
    expect(peer?.stream('resize')?.data.toString()).to.equal('{"Width":80,"Height":24}\n{"Width":1,"Height":2}\n');
    peer?.say('stdout', '');
    peer?.say('error', '');
    await client.until(() => client.closed !== undefined);
    expect(client.of(3)).to.equal('{"metadata":{},"status":"Success"}');
  });

  it('carry more than fits into buffers', async () => {
    const much = 'x'.repeat(5_000_000);
    const client = new Client(frontPort, ['v5.channel.k8s.io']);
    await client.until(() => client.messages.length === 1);
    for (let i = 0; i < 50; i++) client.send(0, 'y'.repeat(100_000));
    await untilKubelet(() => peer?.stream('stdin')?.data.length === 5_000_000);
    peer?.say('stdout', much);
    peer?.say('stderr', '');
    peer?.say('error', '');
    await client.until(() => client.closed !== undefined);
    expect(client.of(1) === much).to.equal(true);
  });

  it('end with the client', async () => {
    const client = new Client(frontPort, ['v5.channel.k8s.io']);
    await untilKubelet(() => peer?.streams.length === 4);
    client.socket.close();
    await untilKubelet(() => (peer?.resets.length ?? 0) > 0);
    expect(peer?.stream('stdin')?.ended).to.equal(true);
    await untilKubelet(() => ends.length > 0);
    expect(ends).to.deep.equal(['client_left']);
  });

  it("end with the kubelet's refusal, or with its absence", async () => {
    onUpgrade = (_request, socket) => {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 12\r\n\r\nno such pod\n');
    };
    const refused = new Client(frontPort, ['v5.channel.k8s.io']);
    await refused.until(() => refused.closed !== undefined);
    const text = 'unable to upgrade connection: no such pod';
    expect(statusOf(refused)).to.deep.equal({
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${text}`,
      reason: 'InternalError',
      details: { causes: [{ message: text }] },
      code: 500,
    });
    port = 1;
    const alone = new Client(frontPort, ['v5.channel.k8s.io']);
    await alone.until(() => alone.closed !== undefined);
    expect((statusOf(alone) as { message: string }).message).to.equal(
      'Internal error occurred: error sending request: Post "http://127.0.0.1:1/exec/n/p/c?command=ls": dial ' +
        'tcp 127.0.0.1:1: connect: connection refused',
    );
    expect(ends).to.deep.equal(['unreachable', 'unreachable']);
  });

  it('carry SPDY inside', async () => {
    onUpgrade = (request, socket, head) => {
      expect([
        request.method,
        request.headers['x-stream-protocol-version'],
        request.headers['sec-websocket-key'],
      ]).to.deep.equal(['POST', 'portforward.k8s.io', undefined]);
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ' +
          'SPDY/3.1\r\nX-Stream-Protocol-Version: portforward.k8s.io\r\n\r\nfirst',
      );
      socket.write(head);
      socket.on('error', () => {
        socket.destroy();
      });
      socket.pipe(socket);
    };
    // The WebSocket of browsers refuses this name of a protocol.
    const socket = connect(frontPort, '127.0.0.1');
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    socket.write(
      'GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: ' +
        '13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ' +
        'SPDY/3.1+portforward.k8s.io\r\n\r\n',
    );
    const much = Buffer.alloc(3_000_000, 7);
    const head = Buffer.alloc(14);
    Buffer.of(0x82, 0x80 | 127).copy(head);
    head.writeBigUInt64BE(BigInt(much.length), 2);
    socket.write(Buffer.concat([head, much]));
    while (received.length < much.length) await once(socket, 'data');
    socket.write(Buffer.of(0x88, 0x80, 0, 0, 0, 0));
    await once(socket, 'close');
    await untilKubelet(() => ends.length > 0);
    expect(ends).to.deep.equal(['client_left']);
    const end = received.indexOf('\r\n\r\n') + 4;
    expect(received.toString('latin1', 0, end))
      .to.include('101 Switching Protocols')
      .and.to.include('Sec-WebSocket-Protocol: SPDY/3.1+portforward.k8s.io\r\n');
    const [first, ...echoed] = payloadsOf(received.subarray(end));
    expect(first?.toString('latin1', 0, 5)).to.equal('first');
    expect(echoed.every((payload, i) => i === echoed.length - 1 || payload.every((byte) => byte === 7))).to.equal(true);
  });
});

/** The payloads of a server's frames. */
function payloadsOf(bytes: Buffer): Buffer[] {
  const payloads: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const code = bytes[at + 1] as number;
    const head = code === 127 ? 10 : code === 126 ? 4 : 2;
    const length =
      code === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : code === 126 ? bytes.readUInt16BE(at + 2) : code;
    payloads.push(bytes.subarray(at + head, at + head + length));
    at += head + length;
  }
  return payloads;
}
