import { callFrame, CallFrameReader, CallFrameType, callFramesProtocol } from '@kubechain/apimachinery/wire';
import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTLS } from 'node:tls';
import { encode } from '../proto/message.ts';
import { WatchRequest } from '../proto/rpc-watch.ts';
import { portSharing } from '../server/port-sharing.ts';
import { startEmbeddedEtcd, type EmbeddedEtcd } from '../server/start.ts';
import { joinedRequest, putOf, rangeOf } from '../testing/joined-requests.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { FrameServer } from './frame-server.ts';
import { GrpcServer } from './grpc-server.ts';
import { joinedCallsPath } from '@kubechain/apimachinery/wire';

const watchPath = '/etcdserverpb.Watch/Watch';
const { end, goingAway, message, ping, pong } = CallFrameType;

/** A client that says what the test wants, and keeps what it is answered. */
class Client {
  readonly socket: Socket;
  /** The head of the answer, and what came behind it. */
  head = '';
  readonly frames: { readonly type: number; readonly payload: Buffer }[] = [];
  readonly closed: Promise<unknown>;
  #bytes = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    const reader = new CallFrameReader({
      head: (_type, length) => length,
      frame: (type, payload) => this.frames.push({ type, payload }),
    });
    socket.on('data', (chunk: Buffer) => {
      if (this.head !== '') {
        reader.push(chunk);
        return;
      }
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      const at = this.#bytes.indexOf('\r\n\r\n');
      if (at === -1) return;
      this.head = this.#bytes.toString('latin1', 0, at + 4);
      reader.push(this.#bytes.subarray(at + 4));
    });
  }

  ask(path: string, protocol: string = callFramesProtocol): this {
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    return this;
  }

  async until(done: () => boolean): Promise<this> {
    const timeout = AbortSignal.timeout(20_000);
    while (!done()) {
      timeout.throwIfAborted();
      await delay(2);
    }
    return this;
  }

  get types(): number[] {
    return this.frames.map(({ type }) => type);
  }

  /** Status and text of its last frame. */
  async ended(): Promise<[number, string]> {
    await this.closed;
    const last = this.frames.at(-1)!;
    expect(last.type).to.equal(end);
    return [last.payload[0]!, last.payload.toString('utf8', 1)];
  }
}

const watchOf = (key: string): Buffer =>
  encode(WatchRequest, {
    createRequest: {
      key,
      rangeEnd: '',
      startRevision: 0,
      progressNotify: false,
      filters: [],
      prevKv: false,
      watchId: 0,
      fragment: false,
    },
    cancelRequest: undefined,
    progressRequest: undefined,
  });
const requestOf = (number: number, method: string, body: Buffer): Buffer =>
  callFrame(message, joinedRequest(number, method, body));

describe('a connection of one call', function () {
  this.timeout(60_000);
  let directory: TemporaryDirectory;
  let store: EmbeddedEtcd;
  const clients: Client[] = [];
  const open = (): Client => {
    const client = new Client(connect(store.address.port, '127.0.0.1'));
    clients.push(client);
    return client;
  };
  beforeEach(async () => {
    directory = new TemporaryDirectory();
    store = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), unsafeNoFsync: true });
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await store.close();
    directory[Symbol.dispose]();
  });

  it('is taken, answers, and ends with OK when all is answered', async () => {
    const client = open().ask(joinedCallsPath);
    // Behind the head, in one piece with it.
    client.socket.write(requestOf(7, 'KV/Put', putOf('a', Buffer.from('x'.repeat(100_000)))));
    client.socket.write(requestOf(8, 'KV/Range', rangeOf('a')));
    client.socket.write(callFrame(end));
    expect(await client.ended()).to.deep.equal([0, '']);
    expect(client.head).to.match(/^HTTP\/1\.1 101 [^]*\r\nUpgrade: kubechain-calls\/1\r\n/);
    const replies = client.frames.slice(0, -1).map(({ payload }) => [payload.readUInt32BE(0), payload[4]]);
    expect(replies).to.deep.equal([
      [7, 0],
      [8, 0],
    ]);
    expect(client.frames[1]!.payload.length).to.be.above(100_000);
  });

  it('carries a watch until the client goes', async () => {
    const streams = async (): Promise<number> => {
      const metrics = await (await fetch(`${store.endpoint}/metrics`)).text();
      return Number(/^etcd_debugging_mvcc_watch_stream_total (\d+)$/m.exec(metrics)?.[1]);
    };
    const watching = open().ask(watchPath);
    watching.socket.write(callFrame(message, watchOf('a')));
    await watching.until(() => watching.frames.length === 1);
    const writing = open().ask(joinedCallsPath);
    writing.socket.write(requestOf(1, 'KV/Put', putOf('a', Buffer.from('told'))));
    await watching.until(() => watching.frames.length === 2);
    expect(watching.frames[1]!.payload.includes('told')).to.equal(true);
    expect(await streams()).to.equal(1);
    watching.socket.end();
    while ((await streams()) > 0) await delay(2);
    await watching.closed;
  });

  it('is offered for streams, and for nothing else', async () => {
    const rows: readonly (readonly [path: string, protocol: string, status: number])[] = [
      ['/etcdserverpb.KV/Put', callFramesProtocol, 404],
      ['/elsewhere', callFramesProtocol, 404],
      [watchPath, 'kubechain-calls/2', 404],
      [watchPath, 'websocket', 404],
      ['/health', 'h2c', 200],
    ];
    for (const [path, protocol, status] of rows) {
      const client = open().ask(path, protocol);
      await client.closed;
      expect(client.head, `${path} ${protocol}`).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });

  it('ends with an error at a request that is cut, too large, compressed or none, and is closed', async () => {
    const large = Buffer.from([message, 0, 0x40, 0, 0]);
    const rows: readonly (readonly [Buffer, number])[] = [
      [callFrame(message, Buffer.from([1, 2])), 3],
      [large, 8],
      [callFrame(1, Buffer.from('packed')), 12],
      [callFrame(message, Buffer.from([0, 0, 0, 0, 200, 1])), 3],
      [callFrame(ping, Buffer.from('full')), 3],
      [callFrame(end, Buffer.from('full')), 3],
      [callFrame(pong), 3],
      [Buffer.from([77, 0xff, 0xff, 0xff, 0xff]), 3],
    ];
    for (const [bytes, status] of rows) {
      const client = open().ask(joinedCallsPath);
      client.socket.write(Buffer.concat([requestOf(1, 'KV/Range', rangeOf('a')), bytes, Buffer.alloc(200_000)]));
      expect((await client.ended())[0], bytes.toString('hex')).to.equal(status);
      expect(client.types).to.deep.equal([message, end]);
    }
  });

  it('is closed soon after its end, also by a client that keeps its side open', async () => {
    const client = new Client(connect({ port: store.address.port, host: '127.0.0.1', allowHalfOpen: true }));
    clients.push(client);
    client.ask(joinedCallsPath).socket.write(callFrame(9));
    // Learns that the other side is closed, too, when it writes.
    const writing = setInterval(() => client.socket.write('x'), 20);
    await client.closed;
    clearInterval(writing);
    expect(client.types).to.deep.equal([end]);
  });

  it('answers a ping', async () => {
    const client = open().ask(watchPath);
    client.socket.write(callFrame(ping));
    await client.until(() => client.frames.length > 0);
    expect(client.types).to.deep.equal([pong]);
  });

  it('keeps no answers to pings of a client that does not read', async () => {
    const client = open().ask(watchPath);
    await client.until(() => client.head !== '');
    client.socket.pause();
    const many = Buffer.concat(Array.from({ length: 10_000 }, () => callFrame(ping)));
    for (let i = 0; i < 200; i++) if (!client.socket.write(many)) await once(client.socket, 'drain');
    const { rss } = process.memoryUsage();
    for (let i = 0; i < 800; i++) if (!client.socket.write(many)) await once(client.socket, 'drain');
    expect(process.memoryUsage().rss - rss).to.be.below(30_000_000);
  });

  it('finishes what was asked, tells watches, and takes nothing more when the store stops', async () => {
    const watching = open().ask(watchPath);
    watching.socket.write(callFrame(message, watchOf('a')));
    const calling = open().ask(joinedCallsPath);
    calling.socket.write(requestOf(1, 'KV/Range', rangeOf('a')));
    await watching.until(() => watching.frames.length === 1);
    await calling.until(() => calling.frames.length === 1);
    const closed = store.close();
    expect(await watching.ended()).to.deep.equal([14, 'etcdserver: server stopped']);
    await calling.until(() => calling.types.includes(goingAway));
    // Was on its way when the client heard of it.
    calling.socket.write(requestOf(2, 'KV/Put', putOf('a', Buffer.from('kept'))));
    calling.socket.write(callFrame(end));
    expect(await calling.ended()).to.deep.equal([0, '']);
    expect(calling.frames.at(-2)!.payload.readUInt32BE(0)).to.equal(2);
    await closed;
    store = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), unsafeNoFsync: true });
    const reading = open().ask(joinedCallsPath);
    reading.socket.write(requestOf(3, 'KV/Range', rangeOf('a')));
    await reading.until(() => reading.frames.length === 1);
    expect(reading.frames[0]!.payload.includes('kept')).to.equal(true);
  });

  it('is refused once the store stops, also on a connection that was there before', async () => {
    const calling = open().ask(joinedCallsPath);
    await calling.until(() => calling.head !== '');
    const late = open();
    await once(late.socket, 'connect');
    const closed = store.close();
    await calling.until(() => calling.types.includes(goingAway));
    late.ask(joinedCallsPath);
    await late.until(() => late.head !== '' || late.socket.destroyed);
    expect(late.head).not.to.include('101');
    calling.socket.write(callFrame(end));
    await closed;
    store = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), unsafeNoFsync: true });
  });

  it('is cut in time when the store stops and the client goes on', async () => {
    const client = open().ask(joinedCallsPath);
    await client.until(() => client.head !== '');
    await store.close();
    await client.closed;
  });

  it('needs the same proof of who asks as HTTP/2, with TLS, and is agreed on in the handshake', async () => {
    const [serving, known] = await Promise.all([selfSigned('server'), selfSigned('client')]);
    const secure = await startEmbeddedEtcd({
      dataFile: directory.file('secure.db'),
      tls: { ...serving, trustedCa: known.cert, clientCertAuth: true },
    });
    const speak = (protocols: string[], own?: object): Client => {
      const client = new Client(
        connectTLS({
          port: secure.address.port,
          host: '127.0.0.1',
          ca: serving.cert,
          ALPNProtocols: protocols,
          ...own,
        }),
      );
      clients.push(client);
      return client;
    };
    const offered = [callFramesProtocol, 'h2'];
    const client = speak(offered, known).ask(joinedCallsPath);
    client.socket.write(requestOf(1, 'KV/Range', rangeOf('a')));
    await client.until(() => client.frames.length === 1);
    expect((client.socket as ReturnType<typeof connectTLS>).alpnProtocol).to.equal(callFramesProtocol);
    for (const own of [undefined, serving]) {
      const stranger = speak(offered, own).ask(joinedCallsPath);
      await stranger.closed;
      expect(stranger.head).to.equal('');
    }
    await secure.close();
  });

  it('is no longer waited for when its head does not come, in whatever pieces', async () => {
    const share = portSharing({
      grpc: new GrpcServer(new Map(), undefined as never),
      frames: new FrameServer(new Map()),
      endpoints: (_request, response) => void response.end('answered'),
      firstHeadMs: 200,
    });
    const server = createServer(share).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const speak = (): Client => {
      const client = new Client(connect((server.address() as AddressInfo).port, '127.0.0.1'));
      clients.push(client);
      return client;
    };
    const [silent, slow, endless] = [speak(), speak(), speak()];
    const trickle = setInterval(() => slow.socket.write('x'), 10);
    slow.socket.write(`GET ${watchPath} HTTP/1.1\r\nX: `);
    endless.socket.write(`GET ${watchPath} HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`);
    await Promise.all([silent.closed, slow.closed, endless.closed]);
    clearInterval(trickle);
    expect(endless.head).to.match(/^HTTP\/1\.1 431 /);
    // Whose first head has come may stay.
    const sound = speak();
    sound.socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    await sound.until(() => sound.head !== '');
    await delay(300);
    expect(sound.socket.destroyed).to.equal(false);
    sound.socket.destroy();
    server.close();
  });
});
