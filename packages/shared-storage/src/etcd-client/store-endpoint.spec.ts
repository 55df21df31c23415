import { expect } from 'chai';
import { callFrame, CallFrameReader, CallFrameType, callFramesProtocol } from '@kubechain/apimachinery/wire';
import { once } from 'node:events';
import { createServer as createHTTP2Server, type Http2Server } from 'node:http2';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallStream, CallStreamHandler } from './call-stream.ts';
import type { EtcdError } from './etcd-error.ts';
import { isEtcdError } from './etcd-error.ts';
import { StoreEndpoint } from './store-endpoint.ts';

const message = (text: string): Buffer => callFrame(CallFrameType.message, Buffer.from(text));
const reply = (number: number, status: number, text: string): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(number, 0);
  head.writeUInt8(status, 4);
  return callFrame(CallFrameType.message, Buffer.concat([head, Buffer.from(text)]));
};
const endOf = (status: number, text: string): Buffer =>
  callFrame(CallFrameType.end, Buffer.concat([Buffer.from([status]), Buffer.from(text)]));
const accepted = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${callFramesProtocol}\r\n\r\n`;

/** A connection that the server has taken. */
class Taken {
  readonly socket: Socket;
  readonly path: string;
  pings = 0;
  ended = false;

  constructor(socket: Socket, path: string, asked: (call: Asked) => void) {
    this.socket = socket;
    this.path = path;
    const reader = new CallFrameReader({
      head: (_type, length) => length,
      frame: (type, bytes) => {
        if (type === CallFrameType.ping) this.pings++;
        else if (type === CallFrameType.end) this.ended = true;
        else {
          const head = 5 + bytes.readUInt8(4);
          const [method, text] = [bytes.toString('latin1', 5, head), bytes.toString('latin1', head)];
          asked({ by: this, number: bytes.readUInt32BE(0), path: method, text });
        }
      },
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
  }
}

interface Asked {
  readonly by: Taken;
  readonly number: number;
  readonly path: string;
  readonly text: string;
}

/** A server that answers the upgrade, and then what is asked, as the test wants; over HTTP/2 it says `HTTP/2`. */
describe('StoreEndpoint', function () {
  this.timeout(60_000);
  let server: Server;
  let http2: Http2Server;
  let endpoint: StoreEndpoint;
  let upgrade: (socket: Socket, head: string) => void;
  let answer: (call: Asked) => void;
  let taken: Taken[];
  let upgrades: number;
  let sockets: Set<Socket>;
  const take = (socket: Socket, head: string): void => {
    taken.push(new Taken(socket, head.split(' ')[1]!, (call) => answer(call)));
    socket.write(accepted);
  };
  const options = {
    connectTimeoutMs: 10_000,
    keepaliveIntervalMs: 30_000,
    keepaliveTimeoutMs: 10_000,
    silenceMs: 30_000,
  };
  const open = (more: Partial<typeof options> = {}): StoreEndpoint =>
    new StoreEndpoint(`127.0.0.1:${(server.address() as AddressInfo).port}`, { ...options, ...more });
  beforeEach(async () => {
    taken = [];
    upgrades = 0;
    sockets = new Set();
    upgrade = take;
    answer = ({ by, number, path, text }) => by.socket.write(reply(number, 0, `${path} ${text}`));
    http2 = createHTTP2Server();
    http2.on('session', (session) => session.on('error', () => undefined));
    http2.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      if (headers[':path']!.startsWith('/kubechain.')) {
        stream.respond({ ':status': 200, 'grpc-status': '12' }, { endStream: true });
        return;
      }
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(message('HTTP/2'));
      stream.resume();
    });
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', (first: Buffer) => {
        if (first.toString('latin1').startsWith('PRI')) {
          socket.pause();
          socket.unshift(first);
          http2.emit('connection', socket);
          return;
        }
        upgrades++;
        upgrade(socket, first.toString('latin1'));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    endpoint = open();
  });
  afterEach(() => {
    endpoint.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const call = async (text: string, more: { timeoutMs?: number; longAnswer?: boolean } = {}): Promise<string> =>
    (await endpoint.unary('/Say', message(text), { timeoutMs: 30_000, ...more })).toString();
  const failed = (promise: Promise<unknown>): Promise<EtcdError> =>
    promise.then(
      () => expect.fail('it succeeded'),
      (error: unknown) => (isEtcdError(error) ? error : expect.fail(String(error))),
    );
  const watch = async (handler: Partial<CallStreamHandler> = {}): Promise<[CallStream, Promise<unknown>]> => {
    const ended = Promise.withResolvers<EtcdError | undefined>();
    const stream = await endpoint.stream('/Watch', {
      message: () => undefined,
      ended: (error) => ended.resolve(error),
      ...handler,
    });
    return [stream, ended.promise.then((error) => error?.message)];
  };

  it('asks over one connection, long answers over another, and each watch over its own', async () => {
    expect(await Promise.all(['a', '', 'c'].map((text) => call(text)))).to.deep.equal(['/Say a', '/Say ', '/Say c']);
    expect(await call('long', { longAnswer: true })).to.equal('/Say long');
    await Promise.all([watch(), watch()]);
    const join = '/kubechain.v1.Calls/Join';
    expect(taken.map(({ path }) => path)).to.deep.equal([join, join, '/Watch', '/Watch']);
  });

  it('sends what is asked in one turn as one', async () => {
    await call('first');
    let reads = 0;
    taken[0]!.socket.on('data', () => reads++);
    await Promise.all(Array.from({ length: 50 }, (_, i) => call(String(i))));
    expect(reads).to.equal(1);
  });

  it('is answered in any order and in any pieces, errors to those whom they concern', async () => {
    const asked: Asked[] = [];
    answer = (one) => {
      if (asked.push(one) < 3) return;
      const bytes = Buffer.concat(
        asked
          .reverse()
          .map(({ number, text }) =>
            text === 'b'
              ? reply(number, 11, 'etcdserver: mvcc: required revision has been compacted')
              : reply(number, 0, text.repeat(100_000)),
          ),
      );
      void (async () => {
        for (let at = 0; at < bytes.length; at += 70_001) {
          one.by.socket.write(bytes.subarray(at, at + 70_001));
          await delay(1);
        }
      })();
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((text) => call(text)));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code))).to.deep.equal([
      'a'.repeat(100_000),
      'Compacted',
      'c'.repeat(100_000),
    ]);
  });

  it('goes on over HTTP/2 where the server refuses, which is asked once for a connection', async () => {
    for (const refusal of ['HTTP/1.1 404 Not Found\r\n\r\n', 'HTTP/1.1 426 \r\n', 'SSH-2.0-x\r\n', '\0\0\x12\x04\0']) {
      upgrade = (socket) => socket.write(refusal);
      const other = open();
      const before = upgrades;
      for (let i = 0; i < 5; i++)
        expect((await other.unary('/Say', message('x'), { timeoutMs: 30_000 })).toString()).to.equal('HTTP/2');
      await Promise.all(
        [1, 2, 3].map(() => other.stream('/Watch', { message: () => undefined, ended: () => undefined })),
      );
      expect(upgrades - before, refusal).to.equal(1);
      other.close();
    }
  });

  it('asks again when the connection of HTTP/2 is lost', async () => {
    upgrade = (socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    expect(await call('x')).to.equal('HTTP/2');
    upgrade = take;
    for (const socket of sockets) socket.destroy();
    while ((await call('x').catch(() => '')) !== '/Say x') await delay(1);
  });

  it('goes on over HTTP/2 where the server closes or says nothing, and asks again behind the calls', async () => {
    for (const unclear of [(socket: Socket) => void socket.end(), () => undefined]) {
      upgrade = unclear;
      const other = open({ connectTimeoutMs: 400 });
      const ask = async (): Promise<string> =>
        (await other.unary('/Say', message('x'), { timeoutMs: 30_000 })).toString();
      expect(await ask()).to.equal('HTTP/2');
      upgrade = take;
      while ((await ask()) !== '/Say x') await delay(10);
      other.close();
    }
  });

  it('tells that nobody is there in the words of HTTP/2, and that nothing was sent', async () => {
    const gone = new StoreEndpoint('127.0.0.1:1', options);
    const error = await failed(gone.unary('/Say', message('x'), { timeoutMs: 1_000 }));
    expect([error.code, error.notSent, error.message]).to.deep.equal([
      'Unavailable',
      true,
      'etcd at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    ]);
    gone.close();
  });

  it('fails what is under way when the connection is lost, as what may have been done', async () => {
    answer = ({ by }) => by.socket.destroy();
    const error = await failed(call('x'));
    expect([error.code, error.notSent]).to.deep.equal(['Unavailable', false]);
    answer = ({ by, number }) => by.socket.write(reply(number, 0, 'again'));
    expect(await call('x')).to.equal('again');
  });

  it('gives up without an answer in time; a late one harms nobody', async () => {
    let late: (() => void) | undefined;
    answer = ({ by, number }) => (late = () => by.socket.write(reply(number, 0, 'late')));
    const error = await failed(call('x', { timeoutMs: 50 }));
    expect([error.code, error.message.replace(/\d+ ms/, 'N ms')]).to.deep.equal([
      'DeadlineExceeded',
      `etcd at ${endpoint.url} did not answer within N ms`,
    ]);
    late!();
    answer = ({ by, number }) => by.socket.write(reply(number, 0, 'in time'));
    expect(await call('x')).to.equal('in time');
    expect(taken).to.have.lengthOf(1);
    expect(taken[0]!.pings).to.equal(1);
  });

  it('can be told to give up', async () => {
    answer = () => undefined;
    await call('x', { timeoutMs: 1 }).catch(() => undefined);
    const controller = new AbortController();
    const asked = endpoint.unary('/Say', message('x'), { timeoutMs: 30_000, signal: controller.signal });
    controller.abort();
    expect((await failed(asked)).code).to.equal('Cancelled');
  });

  it('waits for a connection no longer than a call may take, and until it is told to give up', async () => {
    upgrade = () => undefined;
    const first = failed(call('x', { timeoutMs: 50 }));
    const controller = new AbortController();
    const second = failed(endpoint.unary('/Say', message('x'), { timeoutMs: 30_000, signal: controller.signal }));
    const error = await first;
    expect([error.code, error.notSent, error.message]).to.deep.equal([
      'Unavailable',
      true,
      `etcd at ${endpoint.url} cannot be reached: no connection within 50 ms`,
    ]);
    controller.abort();
    expect((await second).code).to.equal('Cancelled');
  });

  it('refuses answers that are too long, and is as good as before', async () => {
    const long = Buffer.alloc(65 * 1024 * 1024);
    answer = ({ by, number, text }) => {
      const whole = reply(number, 0, '');
      if (text === 'long') {
        whole.writeUInt32BE(5 + long.length, 1);
        by.socket.write(whole);
        by.socket.write(long);
      } else by.socket.write(reply(number, 0, text));
    };
    const both = Promise.allSettled([call('long'), call('short')]);
    const [first, second] = await both;
    expect(first.status === 'rejected' && [first.reason.code, first.reason.message]).to.deep.equal([
      'ResponseTooLarge',
      `etcd at ${endpoint.url} answered with more than 67108864 bytes`,
    ]);
    expect(second.status === 'fulfilled' && second.value).to.equal('short');
    expect(taken).to.have.lengthOf(1);
  });

  it('ends a connection that brings what cannot be read', async () => {
    const rows: readonly (readonly [Buffer, string])[] = [
      [Buffer.from([1, 0, 0, 0, 1, 0]), 'etcd sent a compressed message'],
      [Buffer.from([9, 0, 0, 0, 0]), `etcd at ${endpoint.url} sent a frame of type 9 with 0 bytes`],
      [Buffer.from([3, 0, 0, 0, 1, 0]), `etcd at ${endpoint.url} sent a frame of type 3 with 1 bytes`],
      [Buffer.from([5, 0xff, 0, 0, 0]), `etcd at ${endpoint.url} sent a frame of type 5 with 4278190080 bytes`],
      [message('abc'), 'a joined reply ends within its head'],
    ];
    for (const [bytes, text] of rows) {
      answer = ({ by }) => by.socket.write(bytes);
      const error = await failed(call('x'));
      expect([error.code, error.message]).to.deep.equal(['Internal', text]);
    }
    answer = ({ by, number }) => by.socket.write(reply(number, 0, 'next'));
    expect(await call('x')).to.equal('next');
  });

  it('waits for what it has asked a server that goes away, and asks the next elsewhere', async () => {
    answer = ({ by, number, text }) => {
      if (text !== 'last') return by.socket.write(reply(number, 0, 'next'));
      by.socket.write(callFrame(CallFrameType.goingAway));
      return setTimeout(() => by.socket.write(reply(number, 0, 'answered')), 50);
    };
    const last = call('last');
    // Until it is read there that the server goes away, the same one is asked.
    do expect(await call('x')).to.equal('next');
    while (taken.length === 1);
    expect(await last).to.equal('answered');
    while (!taken[0]!.ended) await delay(1);
    expect(taken).to.have.lengthOf(2);
  });

  it('tells watches how they end', async () => {
    const ends: [(by: Taken) => void, string | undefined][] = [
      [(by) => by.socket.write(endOf(0, '')), undefined],
      [(by) => by.socket.write(endOf(14, 'etcdserver: server stopped')), 'etcdserver: server stopped'],
      [(by) => by.socket.write(callFrame(CallFrameType.goingAway)), `etcd at ${endpoint.url} takes no more calls`],
      [(by) => by.socket.destroy(), `the connection to etcd at ${endpoint.url} was lost`],
    ];
    for (const [end, text] of ends) {
      const [, ended] = await watch();
      end(taken.at(-1)!);
      expect(await ended).to.equal(text);
    }
  });

  it('reads nothing more of a paused watch', async () => {
    let come = 0;
    const [stream] = await watch({ message: (bytes) => void (come += bytes.length) });
    stream.pause();
    const { socket } = taken.at(-1)!;
    for (let i = 0; i < 400; i++) socket.write(message('x'.repeat(100_000)));
    await delay(100);
    expect(come).to.be.below(10_000_000);
    expect(socket.writableLength).to.be.above(1_000_000);
    stream.resume();
    while (come < 40_000_000) await delay(1);
  });

  it('breaks all connections, and opens none, once it is closed', async () => {
    answer = () => undefined;
    const [, ended] = await watch();
    const pending = failed(call('x'));
    while (taken.length < 2) await delay(1);
    endpoint.close();
    expect((await pending).code).to.equal('Unavailable');
    expect(await ended).to.equal(`the connection to etcd at ${endpoint.url} was lost`);
    expect((await failed(call('x'))).code).to.equal('Cancelled');
  });

  it('takes sockets that others make', async () => {
    const other = new StoreEndpoint(endpoint.url, { ...options, openSocket: (host, port) => connect(port, host) });
    expect((await other.unary('/Say', message('x'), { timeoutMs: 30_000 })).toString()).to.equal('/Say x');
    other.close();
  });

  it('knows what comes and goes over sockets that do not count it', async () => {
    const uncounted = (port: number, host: string): Socket =>
      Object.defineProperties(connect(port, host), {
        bytesRead: { get: () => undefined },
        bytesWritten: { get: () => undefined },
      });
    const silent = new StoreEndpoint(endpoint.url, {
      ...options,
      silenceMs: 50,
      openSocket: (host, port) => uncounted(port, host),
    });
    answer = () => undefined;
    void silent.unary('/Say', message('x'), { timeoutMs: 30_000 }).catch(() => undefined);
    while (taken[0]?.pings !== 1) await delay(5);
    silent.close();
  });
});
