import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectTCP, type Socket } from 'node:net';
import { connect as connectTLS, type TLSSocket } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { hpackHeaders, http2Flags, http2Frame, http2FrameTypes, http2Preface } from '../../testing/http2-frames.ts';
import { SecureServing } from './secure-serving.ts';
import { servingPEM } from '../testing/test-server.ts';

/** A client's connection, and the socket below it. */
interface Connection {
  readonly tls: TLSSocket;
  readonly tcp: Socket;
}

const { data, headers, settings, window } = http2FrameTypes;
const { endHeaders, endStream } = http2Flags;
/** More than a request or its connection keeps in memory without being read. */
const long = Buffer.alloc(1 << 20, 'x');

describe('connections whose end Node does not see', () => {
  const open = new Set<ServerResponse>();
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let serving: SecureServing;

  before(async () => {
    serving = new SecureServing(
      { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
      {
        request: (request, response) => {
          open.add(response);
          response.once('close', () => open.delete(response));
          answer(request, response);
        },
        upgrade: () => undefined,
      },
    );
    await serving.listen();
  });
  after(() => {
    serving.destroy();
  });

  beforeEach(() => {
    open.clear();
  });

  async function connect(protocol: string): Promise<Connection> {
    const tcp = connectTCP(serving.port, '127.0.0.1');
    const tls = connectTLS({ socket: tcp, rejectUnauthorized: false, ALPNProtocols: [protocol] });
    for (const socket of [tcp, tls]) socket.on('error', () => undefined);
    await new Promise((resolve) => tls.once('secureConnect', resolve));
    return { tls, tcp };
  }
  async function until(condition: () => boolean): Promise<void> {
    for (let i = 0; i < 1_000 && !condition(); i++) await delay(10);
    expect(condition()).to.equal(true);
  }
  const openStream = (stream: number, { method, path }: { method: string; path: string }): Buffer =>
    http2Frame(headers, {
      flags: method === 'POST' ? endHeaders : endHeaders | endStream,
      stream,
      payload: hpackHeaders({ ':method': method, ':scheme': 'https', ':authority': 'a', ':path': path }),
    });

  it('are told to requests of HTTP/2 that are half sent when answers wait for the client to read', async () => {
    const { tcp, tls } = await connect('h2');
    tls.pause();
    answer = (request, response) => {
      if (request.url === '/long') for (let i = 0; i < 20; i++) response.write(long);
      else request.once('data', () => response.end('x'));
    };
    tls.write(
      Buffer.concat([
        Buffer.from(http2Preface),
        http2Frame(settings, { payload: Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]) }),
        http2Frame(window, { payload: Buffer.from([0x7f, 0xff, 0, 0]) }),
        openStream(1, { method: 'GET', path: '/long' }),
      ]),
    );
    await until(() => open.size === 1);
    await delay(100);
    tls.write(
      Buffer.concat(
        Array.from({ length: 20 }, (_, i) => 2 * i + 3).flatMap((stream) => [
          openStream(stream, { method: 'POST', path: '/half' }),
          http2Frame(data, { stream, payload: long.subarray(0, 10_000) }),
        ]),
      ),
    );
    await delay(100);
    tcp.resetAndDestroy();
    await until(() => open.size === 0);
  });

  for (const [end, leave] of [
    ['cut', (tcp: Socket) => tcp.resetAndDestroy()],
    ['closed', (tcp: Socket) => tcp.end()],
  ] as const)
    it(`are told to a request of HTTP/1.1 that does not read its body when they are ${end}`, async () => {
      const { tcp, tls } = await connect('http/1.1');
      answer = (request) => {
        request.pause();
      };
      tls.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n');
      tls.write(long.subarray(0, 500_000));
      await until(() => open.size === 1);
      await delay(100);
      leave(tcp);
      await until(() => open.size === 0);
    });

  it('are told to answers of HTTP/1.1 that wait for the client to read', async () => {
    const { tcp, tls } = await connect('http/1.1');
    tls.pause();
    answer = (request, response) => {
      if (request.url === '/long') for (let i = 0; i < 20; i++) response.write(long);
    };
    tls.write('GET /long HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => open.size === 2);
    await delay(100);
    tcp.resetAndDestroy();
    await until(() => open.size === 0);
  });
});
