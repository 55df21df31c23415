import { expect } from 'chai';
import { once } from 'node:events';
import { connect as connectHTTP2, type ClientHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:tls';
import { drainedBytes } from './left-body.ts';
import { SecureServing } from './secure-serving.ts';
import { fixtureAuthority, servingPEM } from './testing/test-server.ts';

const ca = fixtureAuthority();

/** What handlers do with a body that they refuse. */
const refusals = {
  'reads no more': (request: IncomingMessage): void => {
    request.pause();
  },
  'drops it': (request: IncomingMessage): void => {
    request.resume();
  },
  // As libraries do that let go of a body when the answer came first.
  'destroys it': (request: IncomingMessage): void => {
    (request as { socket: unknown }).socket = null;
    request.destroy();
  },
};

describe('a body that was answered before its end', () => {
  let serving: SecureServing;
  const streams: { readonly closed: Promise<unknown> }[] = [];
  let refusal: keyof typeof refusals;
  before(async () => {
    serving = new SecureServing(
      { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
      {
        request(request, response) {
          if (request.method === 'GET') {
            response.end('ok');
            return;
          }
          const { stream } = request as { stream?: ServerHttp2Stream };
          if (stream !== undefined) streams.push({ closed: once(stream, 'close') });
          request.once('data', () => {
            if (request.httpVersionMajor === 1) refusals[refusal](request);
            response.writeHead(413);
            response.end();
          });
        },
        upgrade(_request, socket) {
          socket.destroy();
        },
      },
    );
    await serving.listen();
  });
  after(() => {
    serving.destroy();
  });

  /** Posts a body of so many bytes, then asks for something on the same connection. */
  async function post(head: string, body: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: serving.port, ca, rejectUnauthorized: false });
    let output = '';
    socket.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Sending on to a connection that has ended.
    socket.on('error', () => undefined);
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('close', resolve));
    return [...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join(' ');
  }

  const little = 'x'.repeat(drainedBytes / 2);
  const much = 'x'.repeat(4 * 1024 * 1024);
  const forms = {
    announced: (text: string) => post(`Content-Length: ${text.length}`, text),
    chunked: (text: string) =>
      post('Transfer-Encoding: chunked', `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`),
  };
  for (const name of Object.keys(refusals) as (keyof typeof refusals)[])
    for (const [form, send] of Object.entries(forms)) {
      it(`leaves the connection usable where a handler ${name} and little is left (${form})`, async () => {
        refusal = name;
        expect(await send(little)).to.equal('413 200');
      });
      it(`does not leave the connection hanging where a handler ${name} and much is left (${form})`, async () => {
        refusal = name;
        // What came in at once may have been dropped to its end; then the connection goes on.
        expect(await send(much)).to.be.oneOf(['413', '413 200']);
      });
    }

  it('ends the stream alone over HTTP/2', async () => {
    const session: ClientHttp2Session = connectHTTP2(`https://127.0.0.1:${serving.port}`, {
      ca,
      rejectUnauthorized: false,
      // Megabytes; the client's own.
      maxSessionMemory: 100,
    });
    const posted = (): Promise<number | undefined> =>
      new Promise((resolve) => {
        const stream = session.request({ ':method': 'POST' });
        stream.on('response', (headers) => {
          resolve(headers[':status']);
        });
        stream.on('error', () => undefined);
        stream.resume();
        // Never ended: only the server can end it.
        stream.write(much);
      });
    expect(await Promise.all([posted(), posted(), posted()])).to.deep.equal([413, 413, 413]);
    for (const { closed } of streams.splice(0)) await closed;
    const status = await new Promise((resolve) => {
      session.request({}).on('response', (headers) => {
        resolve(headers[':status']);
      });
    });
    expect(status).to.equal(200);
    session.destroy();
  });
});
