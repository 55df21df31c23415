import { expect } from 'chai';
import type { EtcdErrorReason } from '../errors/etcd-error.ts';
import type { StreamReplies } from '../grpc/method.ts';
import type { EventMessage } from '../proto/kv.ts';
import { EventMessage as EventCodec } from '../proto/kv.ts';
import { decode, encode } from '../proto/message.ts';
import type { WatchResponse as Reply } from '../proto/rpc-watch.ts';
import { WatchRequest, WatchResponse } from '../proto/rpc-watch.ts';
import type { ServerContext } from '../context/server-context.ts';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { closeContext, openContext, put, remove } from '../testing/open-context.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import type { WatchStream } from './watch-stream.ts';
import { openWatchStream } from './watch-stream.ts';

/** A client that reads when it is told to. */
class Client implements StreamReplies {
  readonly stream: WatchStream;
  replies: Reply[] = [];
  queuedBytes = 0;
  reading = true;
  failed: string | undefined;

  constructor(context: ServerContext) {
    this.stream = openWatchStream(context.hub, this);
  }

  send(frame: Buffer): void {
    this.replies.push(decode(WatchResponse, frame.subarray(5)));
    if (!this.reading) this.queuedBytes += frame.length;
  }

  read(): void {
    this.reading = true;
    this.queuedBytes = 0;
    this.stream.drained();
  }

  readMore(): void {
    // A watch's requests are always read.
  }

  end(): void {
    this.stream.closed();
  }

  fail(reason: EtcdErrorReason): void {
    this.failed = reason;
  }

  request(request: Partial<WatchRequest>): void {
    this.stream.message(
      encode(WatchRequest, {
        createRequest: undefined,
        cancelRequest: undefined,
        progressRequest: undefined,
        ...request,
      }),
    );
  }

  watch(key: string, more: Partial<NonNullable<WatchRequest['createRequest']>> = {}): void {
    const plain = {
      rangeEnd: '',
      startRevision: 0,
      progressNotify: false,
      filters: [],
      prevKv: false,
      watchId: 0,
      fragment: false,
    };
    this.request({ createRequest: { key, ...plain, ...more } });
  }

  /** Takes the events so far. */
  events(): EventMessage[] {
    const events = this.replies.flatMap((reply) => reply.events.map((event) => decode(EventCodec, Buffer.from(event))));
    this.replies = [];
    return events;
  }
}

const revisions = (events: readonly EventMessage[]): number[] => events.map((event) => event.kv?.modRevision ?? 0);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await turn();
}

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('WatchHub', () => {
  let directory: TemporaryDirectory;
  let clock: FakeClock;
  let context: ServerContext;

  beforeEach(() => {
    directory = new TemporaryDirectory();
    clock = new FakeClock();
    context = openContext({ dataFile: directory.file('data.db'), clock, watchProgressNotifyIntervalMs: 5000 });
  });

  afterEach(() => {
    closeContext(context);
    directory[Symbol.dispose]();
  });

  it('sends nothing before the commit', async () => {
    const client = new Client(context);
    client.watch('a');
    put(context, 'a', '1');
    expect(client.events()).to.deep.equal([]);
    await turn();
    expect(revisions(client.events())).to.deep.equal([2]);
  });

  it('gives a watch begun between write and commit the write', async () => {
    put(context, 'a', '1');
    const client = new Client(context);
    client.watch('a');
    expect(client.replies[0]?.header?.revision).to.equal(1);
    await turn();
    expect(revisions(client.events())).to.deep.equal([2]);
  });

  it('goes from the past to the present without a gap or a repeat', async () => {
    for (let index = 0; index < 3000; index++) put(context, `k${index % 10}`, `${index}`);
    closeContext(context);
    context = openContext({ dataFile: directory.file('data.db'), clock });
    const client = new Client(context);
    client.watch('k', { rangeEnd: 'l', startRevision: 2, prevKv: true });
    for (let index = 0; index < 100; index++) {
      put(context, `k${index % 10}`, 'late');
      await turn();
    }
    const events = client.events();
    expect(revisions(events)).to.deep.equal(upTo(2, 3101));
    for (const event of events) {
      const prev = event.prevKv;
      if (event.kv?.version === 1) expect(prev).to.equal(undefined);
      else
        expect([prev?.version, prev?.modRevision]).to.deep.equal([
          (event.kv?.version ?? 0) - 1,
          (event.kv?.modRevision ?? 0) - 10,
        ]);
    }
  });

  it('reads the file for one watch in a turn, however many are behind', async () => {
    for (let index = 0; index < 1500; index++) put(context, `k${index % 10}`, `${index}`);
    closeContext(context);
    context = openContext({ dataFile: directory.file('data.db'), clock });
    const { history } = context.store;
    const read = history.keysFrom.bind(history);
    let reads = 0;
    history.keysFrom = (...args) => {
      reads++;
      return read(...args);
    };
    const clients = Array.from({ length: 20 }, () => new Client(context));
    for (const client of clients) client.watch('k', { rangeEnd: 'l', startRevision: 2 });
    const ofTurn: number[] = [];
    for (let index = 0; index < 60; index++) {
      reads = 0;
      await turn();
      ofTurn.push(reads);
    }
    expect(Math.max(...ofTurn)).to.equal(1);
    for (const client of clients) expect(revisions(client.events())).to.deep.equal(upTo(2, 1501));
  });

  it('stops feeding a client that does not read, and goes on where it stopped', async () => {
    const slow = new Client(context);
    const quick = new Client(context);
    slow.watch('k');
    quick.watch('k');
    slow.reading = false;
    for (let index = 0; index < 40; index++) {
      put(context, 'k', Buffer.alloc(200_000, index));
      await turn();
    }
    expect(slow.queuedBytes).to.be.within(2_000_000, 2_500_000);
    const early = slow.events();
    expect(revisions(quick.events())).to.deep.equal(upTo(2, 41));
    slow.read();
    await turns(60);
    expect(revisions([...early, ...slow.events()])).to.deep.equal(upTo(2, 41));
    put(context, 'k', 'live again');
    await turn();
    expect(revisions(slow.events())).to.deep.equal([42]);
  });

  it('tells a client that fell behind a compaction', async () => {
    const client = new Client(context);
    client.watch('k');
    client.reading = false;
    client.queuedBytes = 3_000_000;
    for (let index = 0; index < 5; index++) put(context, 'k', `${index}`);
    await turn();
    context.store.compact(5);
    await context.compaction.run();
    client.replies = [];
    client.read();
    await turns(3);
    expect(client.replies).to.have.length(1);
    expect(client.replies[0]).to.deep.include({ watchId: 0, canceled: true, compactRevision: 5, events: [] });
    expect(context.hub.watcherCount).to.equal(0);
  });

  it('splits large replies only for watches that asked, and says where they go on', async () => {
    const whole = new Client(context);
    const split = new Client(context);
    whole.watch('k', { rangeEnd: 'l' });
    split.watch('k', { rangeEnd: 'l', fragment: true });
    for (let index = 0; index < 5; index++) put(context, `k${index}`, Buffer.alloc(700_000));
    await turn();
    expect(whole.replies.slice(1).map((reply) => [reply.events.length, reply.fragment])).to.deep.equal([[5, false]]);
    expect(split.replies.slice(1).map((reply) => [reply.events.length, reply.fragment])).to.deep.equal([
      [2, true],
      [2, true],
      [1, false],
    ]);
  });

  it('tells idle watches the revision when they asked for progress', async () => {
    const client = new Client(context);
    client.watch('a', { progressNotify: true });
    client.watch('b');
    put(context, 'other', '1');
    await turn();
    client.replies = [];
    await clock.advance(5000);
    expect(client.replies.map((reply) => [reply.watchId, reply.header?.revision, reply.events.length])).to.deep.equal([
      [0, 2, 0],
    ]);
    put(context, 'a', '1');
    await turn();
    client.replies = [];
    await clock.advance(5000);
    expect(client.replies, 'an event is progress enough').to.deep.equal([]);
    await clock.advance(5000);
    expect(client.replies.map((reply) => reply.header?.revision)).to.deep.equal([3]);
  });

  it('answers a progress request after the events before it', async () => {
    for (let index = 0; index < 2500; index++) put(context, 'k', `${index}`);
    closeContext(context);
    context = openContext({ dataFile: directory.file('data.db'), clock });
    const client = new Client(context);
    client.watch('k', { startRevision: 2 });
    client.request({ progressRequest: {} });
    await turns(10);
    const last = client.replies.at(-1);
    expect(last).to.deep.include({ watchId: -1, events: [] });
    expect(last?.header?.revision).to.equal(2501);
    expect(revisions(client.events())).to.deep.equal(upTo(2, 2501));
  });

  it('forgets the watches of a client that is gone', async () => {
    const client = new Client(context);
    client.watch('a');
    client.watch('b', { rangeEnd: '\0', startRevision: 1 });
    client.stream.closed();
    put(context, 'a', '1');
    remove(context, 'a');
    await turns(2);
    expect(client.events()).to.deep.equal([]);
    expect([context.hub.watcherCount, context.hub.streamCount]).to.deep.equal([0, 0]);
  });
});
