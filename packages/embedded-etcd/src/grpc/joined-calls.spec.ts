import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { ServerContext } from '../context/server-context.ts';
import type { EtcdErrorReason } from '../errors/etcd-error.ts';
import { kvMethods } from '../methods/kv-methods.ts';
import { encode } from '../proto/message.ts';
import { CompactionRequest, RangeRequest } from '../proto/rpc-kv.ts';
import { startEmbeddedEtcd } from '../server/start.ts';
import { emptyRange, joinedRequest, putOf, rangeOf } from '../testing/joined-requests.ts';
import { closeContext, openContext, put } from '../testing/open-context.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { joinedCallsPath } from '@kubechain/apimachinery/wire';
import { joinedCalls } from './joined-calls.ts';
import type { StreamHandler, StreamReplies } from './method.ts';

const text = (value: string): Buffer => Buffer.from(value);
const framed = (message: Buffer): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
};

/** A client that takes replies when it is told to. */
class Client implements StreamReplies {
  readonly calls: StreamHandler;
  readonly replies: { readonly number: number; readonly status: number; readonly body: Buffer }[] = [];
  queuedBytes = 0;
  taking = true;
  read = true;
  ended = false;

  constructor(context: ServerContext) {
    const stream = { kind: 'stream', open: () => this.calls } as const;
    const methods = new Map([...kvMethods(context), ['/etcdserverpb.Watch/Watch', stream] as const]);
    this.calls = joinedCalls(methods, context.commit).open(this);
  }

  send(frame: Buffer, rest: Buffer = Buffer.alloc(0)): void {
    const body = Buffer.concat([frame.subarray(10), rest]);
    this.replies.push({ number: frame.readUInt32BE(5), status: frame.readUInt8(9), body });
    expect(frame.readUInt32BE(1)).to.equal(5 + body.length);
    if (!this.taking) this.queuedBytes += frame.length + rest.length;
  }

  take(): void {
    this.taking = true;
    this.queuedBytes = 0;
    this.calls.drained();
  }

  readMore(more: boolean): void {
    this.read = more;
  }

  end(): void {
    this.ended = true;
  }

  fail(reason: EtcdErrorReason): void {
    throw new TypeError(reason);
  }

  call(number: number, method: string, message: Buffer): void {
    this.calls.message(joinedRequest(number, method, message));
  }

  get outcomes(): [number, number][] {
    return this.replies.map(({ number, status }) => [number, status]);
  }
}

describe('calls that share a stream', () => {
  let directory: TemporaryDirectory;
  let context: ServerContext;
  let client: Client;

  beforeEach(() => {
    directory = new TemporaryDirectory();
    context = openContext({ dataFile: directory.file('data.db') });
    client = new Client(context);
  });

  afterEach(() => {
    closeContext(context);
    directory[Symbol.dispose]();
  });

  it('are answered by their numbers, what follows a write after its commit', () => {
    client.call(7, 'KV/Range', rangeOf('a'));
    expect(client.outcomes).to.deep.equal([[7, 0]]);
    client.call(8, 'KV/Put', putOf('a', text('one')));
    client.call(2 ** 32 - 1, 'KV/Range', rangeOf('a'));
    expect(client.replies).to.have.lengthOf(1);
    context.commit.flush();
    expect(client.outcomes.slice(1)).to.deep.equal([
      [8, 0],
      [2 ** 32 - 1, 0],
    ]);
    expect(client.replies[2]!.body.includes('one')).to.equal(true);
  });

  it('are told what is wrong with each of them, and only with it', () => {
    client.call(1, 'KV/Nothing', Buffer.alloc(0));
    client.call(2, 'Watch/Watch', Buffer.alloc(0));
    client.call(3, 'KV/Range', text('\xff\xff'));
    client.call(4, 'KV/Range', encode(RangeRequest, { ...emptyRange, key: 'a', revision: 99 }));
    client.call(5, 'KV/Range', rangeOf('a'));
    expect(client.outcomes).to.deep.equal([
      [1, 12],
      [2, 12],
      [3, 13],
      [4, 11],
      [5, 0],
    ]);
    expect(client.replies[3]!.body.toString()).to.equal('etcdserver: mvcc: required revision is a future revision');
  });

  it('are told when the disk has refused what they wrote', () => {
    client.call(1, 'KV/Put', putOf('a', text('lost')));
    context.commit.abort(new TypeError('no disk'));
    expect(client.outcomes).to.deep.equal([[1, 13]]);
    client.call(2, 'KV/Range', rangeOf('a'));
    expect(client.replies[1]!.body.includes('lost')).to.equal(false);
  });

  it('wait while the client takes no replies', () => {
    put(context, 'large', Buffer.alloc(1_000_000));
    context.commit.flush();
    client.taking = false;
    for (let number = 0; number < 100; number++) client.call(number, 'KV/Range', rangeOf('large'));
    expect(client.replies).to.have.lengthOf(3);
    expect(client.read).to.equal(false);
    client.take();
    expect(client.outcomes).to.deep.equal(Array.from({ length: 100 }, (_, number) => [number, 0]));
    expect(client.read).to.equal(true);
  });

  it('wait while large replies wait for a commit', () => {
    put(context, 'large', Buffer.alloc(1_000_000));
    for (let number = 0; number < 10; number++) client.call(number, 'KV/Range', rangeOf('large'));
    expect(client.read).to.equal(false);
    context.commit.flush();
    expect(client.outcomes.toSorted(([a], [b]) => a - b)).to.deep.equal(
      Array.from({ length: 10 }, (_, number) => [number, 0]),
    );
    expect(client.read).to.equal(true);
  });

  it('wait while thousands are under way', async () => {
    put(context, 'a', 'x');
    context.commit.flush();
    const compaction = encode(CompactionRequest, { revision: 1, physical: true });
    client.call(0, 'KV/Compact', compaction);
    expect(client.outcomes).to.deep.equal([]);
    for (let number = 1; number < 10_000; number++) client.call(number, 'KV/Compact', compaction);
    const underWay = 10_000 - client.replies.length;
    expect(underWay).to.be.at.least(1);
    expect(client.read).to.equal(underWay < 10_000);
    client.calls.halfClosed();
    while (!client.ended) await new Promise((resolve) => setImmediate(resolve));
    expect(client.replies).to.have.lengthOf(10_000);
  });

  it('end after the last reply when the client has half-closed', () => {
    client.call(1, 'KV/Put', putOf('a', text('x')));
    client.calls.halfClosed();
    expect(client.ended).to.equal(false);
    context.commit.flush();
    expect([client.outcomes, client.ended]).to.deep.equal([[[1, 0]], true]);
  });

  it('are not begun any more when the stream is gone', () => {
    put(context, 'large', Buffer.alloc(1_000_000));
    context.commit.flush();
    client.taking = false;
    for (let number = 0; number < 4; number++) client.call(number, 'KV/Range', rangeOf('large'));
    client.call(4, 'KV/Put', putOf('a', text('late')));
    client.calls.closed();
    client.take();
    expect(context.commit.pending).to.equal(false);
    expect(client.replies).to.have.lengthOf(3);
  });
});

describe('a stream of calls', () => {
  let directory: TemporaryDirectory;
  let store: Awaited<ReturnType<typeof startEmbeddedEtcd>>;
  let session: ClientHttp2Session;

  beforeEach(async () => {
    directory = new TemporaryDirectory();
    store = await startEmbeddedEtcd({ dataFile: directory.file('data.db'), unsafeNoFsync: true });
    session = connect(store.endpoint);
  });

  afterEach(async () => {
    session.destroy();
    await store.close();
    directory[Symbol.dispose]();
  });

  const spoken = async (...bytes: Buffer[]): Promise<{ status: unknown; data: Buffer }> => {
    const stream = session.request({
      ':method': 'POST',
      ':path': joinedCallsPath,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let status: unknown;
    stream.on('trailers', (trailers) => (status = trailers['grpc-status']));
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.end(Buffer.concat(bytes));
    await once(stream, 'close');
    return { status, data: Buffer.concat(chunks) };
  };
  const read = framed(joinedRequest(1, 'KV/Range', rangeOf('a')));

  it('ends with OK when all are answered', async () => {
    const { data, status } = await spoken(read, read);
    expect(status).to.equal('0');
    expect(data.length).to.be.above(20);
  });

  it('ends with an error at a request that is cut, too large or compressed', async () => {
    const large = Buffer.from(framed(Buffer.alloc(0)));
    large.writeUInt32BE(3_000_000, 1);
    const packed = Buffer.from(read);
    packed[0] = 1;
    const cut = framed(joinedRequest(1, 'KV/Range', rangeOf('a')).subarray(0, 20));
    const statuses = [];
    for (const bytes of [framed(Buffer.from([1, 2])), cut, large, packed])
      statuses.push((await spoken(read, bytes)).status);
    expect(statuses).to.deep.equal(['3', '3', '8', '12']);
    // Others are served.
    expect((await spoken(read)).status).to.equal('0');
  });
});
