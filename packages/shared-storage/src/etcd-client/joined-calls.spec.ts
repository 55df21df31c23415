import { expect } from 'chai';
import { GRPCMessages } from '@kubechain/apimachinery/wire';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Endpoint } from './endpoint.ts';

const message = (text: string): Buffer => {
  const frame = Buffer.alloc(5 + text.length, text);
  frame.fill(0, 0, 5).writeUInt32BE(text.length, 1);
  if (text !== '') frame.write(text, 5);
  return frame;
};
const reply = (number: number, status: number, text: string): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(number, 0);
  head.writeUInt8(status, 4);
  const frame = Buffer.concat([Buffer.alloc(5), head, Buffer.from(text)]);
  frame.writeUInt32BE(frame.length - 5, 1);
  return frame;
};

interface Asked {
  readonly stream: ServerHttp2Stream;
  readonly number: number;
  readonly path: string;
  readonly text: string;
}

/** A server that says what the test wants to what it is asked on joined streams, and `alone` to other calls. */
describe('JoinedCalls', function () {
  this.timeout(60_000);
  let server: Http2Server;
  let endpoint: Endpoint;
  let offered: boolean;
  let streams: string[];
  let sessions: ServerHttp2Session[];
  let answer: (asked: Asked) => void;
  beforeEach(async () => {
    offered = true;
    streams = [];
    sessions = [];
    answer = ({ number, path, stream, text }) => stream.write(reply(number, 0, `${path} ${text}`));
    server = createServer();
    server.on('session', (session) => {
      sessions.push(session);
      session.on('error', () => undefined);
    });
    server.on('stream', (stream, headers) => {
      const path = headers[':path']!;
      streams.push(path);
      stream.on('error', () => undefined);
      if (!path.startsWith('/kubechain.')) {
        stream.respond({ ':status': 200 }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end(message('alone'));
        stream.resume();
        return;
      }
      if (!offered) {
        stream.respond({ ':status': 200, 'grpc-status': '12' }, { endStream: true });
        return;
      }
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.on('end', () => stream.end());
      const messages = new GRPCMessages(() => undefined);
      stream.on('data', (chunk: Buffer) => {
        for (const bytes of messages.push(chunk)) {
          const head = 5 + bytes.readUInt8(4);
          const text = bytes.toString('latin1', head);
          answer({ stream, number: bytes.readUInt32BE(0), path: bytes.toString('latin1', 5, head), text });
        }
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    endpoint = new Endpoint(`127.0.0.1:${(server.address() as AddressInfo).port}`, {
      connectTimeoutMs: 10_000,
      keepaliveIntervalMs: 30_000,
      keepaliveTimeoutMs: 10_000,
      silenceMs: 30_000,
      joinCalls: true,
    });
  });
  afterEach(() => {
    endpoint.close();
    server.close();
  });
  const call = async (text: string, timeoutMs = 30_000): Promise<string> =>
    (await endpoint.unary('/Say', message(text), { timeoutMs })).toString();
  const joined = async (): Promise<void> => {
    while ((await call('?')) === 'alone');
  };

  it('go over one stream as soon as the server has taken it', async () => {
    await joined();
    const before = streams.length;
    expect(await Promise.all(['a', '', 'c'].map((text) => call(text)))).to.deep.equal(['/Say a', '/Say ', '/Say c']);
    expect(streams.length).to.equal(before);
  });

  it('are answered in any order, errors to those whom they concern', async () => {
    await joined();
    const asked: Asked[] = [];
    answer = (one) => {
      if (asked.push(one) < 3) return;
      for (const { number, stream, text } of asked.reverse())
        stream.write(
          text === 'b'
            ? reply(number, 11, 'etcdserver: mvcc: required revision has been compacted')
            : reply(number, 0, text),
        );
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((text) => call(text)));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code))).to.deep.equal([
      'a',
      'Compacted',
      'c',
    ]);
  });

  it('go on streams of their own where the server does not know it, which is asked once', async () => {
    offered = false;
    for (let i = 0; i < 20; i++) expect(await call('x')).to.equal('alone');
    expect(streams.filter((path) => path.startsWith('/kubechain.'))).to.have.lengthOf(1);
  });

  it('fail when the connection is lost, and when there is no answer in time; a late answer harms nobody', async () => {
    await joined();
    let late: (() => void) | undefined;
    answer = ({ number, stream, text }) => {
      if (text === 'lost') sessions.at(-1)!.destroy();
      else late = () => stream.write(reply(number, 0, 'late'));
    };
    const failed = async (text: string, ms?: number): Promise<unknown> =>
      call(text, ms).then(String, (error: { code: string }) => error.code);
    expect(await failed('never', 50)).to.equal('DeadlineExceeded');
    late!();
    expect(await failed('lost')).to.equal('Unavailable');
    answer = ({ number, stream }) => stream.write(reply(number, 0, 'again'));
    while ((await call('x')) !== 'again');
  });

  it('are still answered when the server takes no more, and the next go elsewhere', async () => {
    await joined();
    const first = sessions.length;
    answer = ({ number, stream, text }) => {
      if (text !== 'last') return stream.write(reply(number, 0, 'next'));
      sessions.at(-1)!.close();
      return setTimeout(() => stream.write(reply(number, 0, 'answered')), 50);
    };
    const closed = once(sessions.at(-1)!, 'close');
    expect(await call('last')).to.equal('answered');
    await closed;
    expect(await call('x')).to.be.oneOf(['alone', 'next']);
    expect(sessions).to.have.lengthOf(first + 1);
  });
});
