import { expect } from 'chai';
import { once } from 'node:events';
import { connect as connectHTTP2, type ClientHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:tls';
import { hpackHeaders, http2Flags, http2Frame, http2FrameTypes, http2Preface } from '../../testing/http2-frames.ts';
import { drainedBytes } from './left-body.ts';
import { SecureServing } from './secure-serving.ts';
import { fixtureAuthority, servingPEM } from '../testing/test-server.ts';

const ca = fixtureAuthority();

const much = 'x'.repeat(4 * 1024 * 1024);

/** A client that sees the frames of answers in their order. */
class FrameClient {
  /** Streams that are over. */
  over = 0;
  readonly #socket;
  readonly #ends = new Map<number, 'ended' | 'reset'>();
  #received = Buffer.alloc(0);
  #nextID = 1;
  #waiting = (): void => undefined;

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    this.#socket.on('data', (piece: Buffer) => {
      this.#received = Buffer.concat([this.#received, piece]);
      for (let length = this.#frameLength(); this.#received.length >= length; length = this.#frameLength()) {
        this.#take(this.#received.subarray(0, length));
        this.#received = this.#received.subarray(length);
      }
      this.#waiting();
    });
    this.#socket.write(http2Preface);
    this.send(http2FrameTypes.settings, { payload: Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]) });
  }

  send(type: number, options: Parameters<typeof http2Frame>[1]): void {
    this.#socket.write(http2Frame(type, options));
  }

  open(headers: Readonly<Record<string, string>>, flags: number): number {
    const stream = this.#nextID;
    this.#nextID += 2;
    const payload = hpackHeaders({ ...headers, ':scheme': 'https', ':authority': 'a' });
    this.send(http2FrameTypes.headers, { flags: flags | http2Flags.endHeaders, stream, payload });
    return stream;
  }

  /** What came first. */
  endOf(stream: number): 'ended' | 'reset' | undefined {
    return this.#ends.get(stream);
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = () => {
        if (condition()) resolve();
      };
      this.#waiting();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #frameLength(): number {
    return this.#received.length < 9 ? 9 : 9 + this.#received.readUIntBE(0, 3);
  }

  #take(frame: Buffer): void {
    const [type, flags] = [frame[3], frame[4]!];
    const stream = frame.readUInt32BE(5);
    if (type === http2FrameTypes.data && frame.length > 9) {
      const payload = Buffer.alloc(4);
      payload.writeUInt32BE(frame.length - 9);
      this.send(http2FrameTypes.window, { payload });
    }
    const carries = type === http2FrameTypes.data || type === http2FrameTypes.headers;
    const ends = carries && (flags & http2Flags.endStream) !== 0;
    if ((!ends && type !== http2FrameTypes.reset) || this.#ends.has(stream)) return;
    this.#ends.set(stream, ends ? 'ended' : 'reset');
    this.over++;
  }
}

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
            response.end(request.url === '/large' ? much.slice(0, 200_000) : 'ok');
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

  it('ends each answer over HTTP/2 before its stream is reset, however much else is being written', async () => {
    const client = new FrameClient(serving.port);
    const ids: number[] = [];
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < 10; i++) {
        client.open({ ':method': 'GET', ':path': '/large' }, http2Flags.endStream);
        // Its body never comes whole.
        ids.push(client.open({ ':method': 'POST', ':path': '/' }, 0));
        client.send(http2FrameTypes.data, { stream: ids.at(-1)!, payload: Buffer.alloc(10) });
      }
      await client.until(() => client.over >= 20 * (round + 1));
    }
    expect(ids.filter((id) => client.endOf(id) !== 'ended')).to.deep.equal([]);
    client.close();
  });
});
