import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { drainedBytes } from './left-body.ts';
import { lingerBytes } from './linger.ts';
import { SecureServing } from './secure-serving.ts';
import { fixtureAuthority, servingPEM } from '../testing/test-server.ts';

const ca = fixtureAuthority();
const post = 'POST / HTTP/1.1\r\nHost: a\r\n';

describe('a connection that ends behind its last answer', function () {
  this.timeout(20_000);
  let serving: SecureServing;
  let taken: string[];
  before(async () => {
    serving = new SecureServing(
      { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
      {
        request(request, response) {
          taken.push(request.url ?? '');
          if (request.url === '/taken') request.resume().once('end', () => response.end('taken'));
          else response.writeHead(413).end('too large');
        },
        upgrade(_request, socket) {
          socket.destroy();
        },
      },
    );
    await serving.listen();
  });
  beforeEach(() => (taken = []));
  after(() => {
    serving.destroy();
  });

  async function opened(): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port: serving.port, ca, rejectUnauthorized: false });
    // Sending on to a connection that was cut.
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  }

  /** Sends all of it, as far as it is taken, and only then reads what was answered. */
  async function sendThenRead(text: string): Promise<string> {
    const socket = await opened();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await Promise.race([closed, new Promise((sent) => socket.write(text, sent))]);
    let output = '';
    socket.on('data', (piece: Buffer) => (output += piece.toString()));
    await closed;
    return [...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join(' ');
  }

  const much = 'a'.repeat(2_000_000);
  const rows: readonly (readonly [what: string, text: string, status: string])[] = [
    ['a head that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${much}\r\n\r\n`, '431'],
    ['a head that nobody can read', `GET / HTTP/1.1\r\nHost: a\r\nX A: b\r\n\r\n${much}`, '400'],
    ['no HTTP at all', `hello\r\n\r\n${much}`, '400'],
    ['a coding that is unknown', `${post}Transfer-Encoding: xchunked\r\n\r\n${much}`, '501'],
    ['a host that is none', `POST / HTTP/1.1\r\nHost: a/b\r\nContent-Length: ${much.length}\r\n\r\n${much}`, '400'],
    ['a refused body', `${post}Connection: close\r\nContent-Length: ${much.length}\r\n\r\n${much}`, '413'],
    [
      'a refused body that is not read to its end',
      `${post}Content-Length: ${limits.requestBody.value + drainedBytes + 1}\r\n\r\n${much}`,
      '413',
    ],
  ];
  for (const [what, text, status] of rows)
    it(`has told it to a client that sent all of ${what} before it reads`, async () => {
      for (let i = 0; i < 8; i++) expect(await sendThenRead(text), `try ${i}`).to.equal(status);
    });

  it('begins no request that was sent behind the last one', async () => {
    const behind = `${post}Content-Length: 2\r\n\r\n{}`;
    expect(await sendThenRead(`${post}Connection: close\r\nContent-Length: 9\r\n\r\n{}`)).to.equal('413');
    expect(taken).to.deep.equal(['/']);
    expect(await sendThenRead(`POST /taken HTTP/1.1\r\nHost: a/b\r\nContent-Length: 2\r\n\r\n{}${behind}`)).to.equal(
      '400',
    );
    expect(taken).to.deep.equal(['/']);
  });

  it('is closed at once with a client that closes it', async () => {
    // One that is not closed waits for two seconds of silence.
    let fastestMs = Infinity;
    for (let i = 0; i < 5; i++) {
      const began = performance.now();
      expect(
        await sendThenRead(`POST /taken HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`),
      ).to.equal('200');
      fastestMs = Math.min(fastestMs, performance.now() - began);
    }
    expect(fastestMs).to.be.lessThan(1_500);
  });

  const oneAt = async function* (piece: string): AsyncGenerator<string> {
    for (;;) {
      yield piece;
      await delay(50);
    }
  };
  const silent = async function* (): AsyncGenerator<string> {
    await delay(2_500);
    // A connection that is gone says so to what comes.
    yield* oneAt('a');
  };
  for (const [what, pieces] of [
    ['does not stop sending a little', oneAt('a')],
    ['sends more than is read', oneAt('a'.repeat(lingerBytes / 16))],
    ['says nothing more', silent()],
  ] as const)
    it(`is cut in a few seconds from a client that ${what}`, async () => {
      const socket = await opened();
      // It does not close its side because ours has ended.
      socket.allowHalfOpen = true;
      socket.resume();
      const began = performance.now();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write('hello\r\n\r\n');
      for await (const piece of pieces) {
        if (socket.destroyed) break;
        await Promise.race([closed, new Promise((sent) => socket.write(piece, sent))]);
      }
      // Five seconds, on a machine that has time for it.
      expect(performance.now() - began).to.be.within(1_500, 30_000);
      // What the sockets of both sides hold comes on top.
      expect(socket.bytesWritten).to.be.lessThan(lingerBytes * 3);
    });
});
