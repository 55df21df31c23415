import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { StreamReads } from './stream-reads.ts';

class Peer {
  readonly stops = { reads: true, times: 0 };
  readonly handle = {
    writeQueueSize: 0,
    readStart: (): number => {
      this.stops.reads = true;
      return 0;
    },
    readStop: (): number => {
      this.stops.reads = false;
      this.stops.times++;
      return 0;
    },
  };
  readonly socket = Object.assign(new EventEmitter(), { _handle: this.handle }) as unknown as Socket;
  readonly secured = { _parent: this.socket } as unknown as Socket;
  readonly session = Object.assign(new EventEmitter(), { socket: this.secured }) as unknown as ServerHttp2Session;

  constructor(reads: StreamReads) {
    reads.follow(this.socket);
    reads.followSession(this.session);
  }

  get reads(): boolean {
    return this.stops.reads;
  }

  /** What the client sends, if it is read: so many streams. */
  begin(streams: number): EventEmitter[] {
    return Array.from({ length: this.reads ? streams : 0 }, () => {
      const stream = new EventEmitter();
      this.session.emit('stream', stream);
      return stream;
    });
  }
}

describe('crowds of streams', () => {
  let reads: StreamReads;
  const peers = (count: number): Peer[] => Array.from({ length: count }, () => new Peer(reads));
  /** Connections of which each gives its streams once it is read; resolves to how many did so in each turn. */
  async function giveAll(crowd: readonly Peer[], streams: number): Promise<number[]> {
    const turns: number[] = [];
    const left = new Set(crowd);
    while (left.size > 0) {
      let given = 0;
      for (const peer of left)
        if (peer.reads) {
          given += peer.begin(streams).length;
          left.delete(peer);
        }
      turns.push(given);
      await turn();
    }
    return turns;
  }

  beforeEach(() => {
    reads = new StreamReads();
  });

  it('are read a few connections at a time', async () => {
    const turns = await giveAll(peers(100), 90);
    expect(Math.max(...turns)).to.be.at.most(256 + 90);
    expect(turns.reduce((sum, given) => sum + given)).to.equal(9_000);
  });

  it('end a few connections at a time', async () => {
    const [first, second] = peers(2) as [Peer, Peer];
    const streams = [...first.begin(90), ...second.begin(90)];
    await turn();
    const [third] = peers(1) as [Peer];
    for (const stream of streams) stream.emit('close');
    expect(third.reads).to.equal(true);
    const more = third.begin(90);
    expect([first, second, third].map((peer) => peer.reads)).to.deep.equal([false, false, false]);
    await turn();
    expect([first, second, third].map((peer) => peer.reads)).to.deep.equal([true, true, true]);
    expect(more).to.have.length(90);
  });

  it('do not keep those waiting of which no crowds come', async () => {
    const crowd = peers(100);
    await giveAll(crowd, 90);
    while (!crowd.every((peer) => peer.reads)) await turn();
    const [quiet] = peers(1) as [Peer];
    for (const peer of crowd.slice(0, 3)) peer.begin(90);
    expect(quiet.reads).to.equal(false);
    await turn();
    expect(quiet.reads).to.equal(true);
    expect(crowd.filter((peer) => peer.reads)).to.have.length(4);
  });

  it('begin with those from which nothing came for longest', async () => {
    const crowd = peers(8);
    for (const peer of crowd) {
      peer.begin(20);
      await turn();
    }
    crowd[0]?.begin(20);
    await turn();
    crowd[7]?.begin(256);
    await turn();
    expect(crowd.map((peer) => peer.reads)).to.deep.equal([false, true, true, true, true, false, false, false]);
  });

  it('are all read in the end', async () => {
    const crowd = peers(100);
    await giveAll(crowd, 90);
    for (let turns = 0; !crowd.every((peer) => peer.reads); turns++) {
      expect(turns).to.be.below(100);
      await turn();
    }
  });

  it('are not read on from connections that wait to be written, until they are', async () => {
    const [blocked, other] = peers(2) as [Peer, Peer];
    blocked.handle.writeQueueSize = 1;
    for (let i = 0; i < 3; i++) {
      other.begin(256);
      await turn();
      expect([blocked.reads, other.reads], `time ${i}`).to.deep.equal([false, true]);
    }
    blocked.handle.writeQueueSize = 0;
    await delay(60);
    expect(blocked.reads).to.equal(true);
  });

  it('leave those alone that speak another protocol, and those that have closed', async () => {
    const [other, closed, crowd] = peers(3) as [Peer, Peer, Peer];
    crowd.begin(256);
    reads.leave(other.secured);
    expect(other.reads).to.equal(true);
    closed.socket.emit('close');
    await turn();
    crowd.begin(256);
    expect([other.stops.times, closed.stops.times, crowd.stops.times]).to.deep.equal([1, 1, 2]);
    await turn();
    expect([closed.reads, crowd.reads]).to.deep.equal([false, true]);
  });

  it('are not stopped for fewer', async () => {
    const few = peers(10);
    for (let i = 0; i < 5; i++) {
      for (const peer of few) for (const stream of peer.begin(12)) stream.emit('end');
      await turn();
    }
    expect(few.map((peer) => peer.stops.times)).to.deep.equal(few.map(() => 0));
  });
});
