import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { limits } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { TurnQueue } from './turn-queue.ts';
import type { Turns, WorkOwner } from './turns.ts';
import { roomForBodies, WorkShare } from './work-share.ts';

const ofUser = (name: string, signal = new AbortController().signal): WorkOwner => ({
  user: { name, uid: '', groups: [], extra: {} },
  signal,
});
const MiB = 1024 * 1024;

describe('what requests share', () => {
  const begun: string[] = [];
  const under = new Map<string, Turns>();
  beforeEach(() => {
    begun.length = 0;
    under.clear();
  });

  /** Asks for room; what gets it is noted. */
  const ask = (work: WorkShare, name: string, { bytes = 3 * MiB, owner = ofUser(name[0]!) } = {}): Promise<void> =>
    Promise.resolve(work.begin(owner, Buffer.alloc(bytes, ' '), undefined)).then((turns) => {
      begun.push(name);
      under.set(name, turns);
    });
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await turn();
  };

  it('is room for so many bytes of bodies at a time, and the others wait (bodiesAtOnce)', async () => {
    expect(limits.bodiesAtOnce.value).to.equal(6 * MiB);
    const work = new WorkShare();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(work, name);
    await settled();
    expect(begun).to.deep.equal(['a1', 'a2']);
    under.get('a1')?.end();
    await settled();
    expect(begun).to.deep.equal(['a1', 'a2', 'a3']);
  });

  for (const [contentType, body] of [
    [undefined, Buffer.from(`[${'{},'.repeat(200_000)}{}]`)],
    ['application/apply-patch+yaml', Buffer.from('- 1\n'.repeat(200_000))],
    ['application/cbor', Buffer.concat([Buffer.from([0x9a, 0, 3, 13, 64]), Buffer.alloc(200_000)])],
    ['application/vnd.kubernetes.protobuf', Buffer.from('\n\0'.repeat(100_000))],
  ] as const)
    it(`is room for fewer bodies that have very many values: ${contentType}`, async () => {
      const work = new WorkShare({ clock: new FakeClock() });
      const first = work.begin(ofUser('a'), body, contentType);
      const second = Promise.resolve(work.begin(ofUser('b'), body, contentType)).then(() => begun.push('second'));
      const turns = await first;
      await settled();
      expect(begun).to.deep.equal([]);
      turns.end();
      await second;
    });

  it('is less in a small heap', async () => {
    expect([8_000, 2_000, 1_000, 100].map((heap) => roomForBodies(heap * MiB) / MiB)).to.satisfy((rooms: number[]) =>
      [6, 6, 3, 0.3].every((room, i) => Math.abs(room - (rooms[i] ?? 0)) < 1e-6),
    );
    const work = new WorkShare({ clock: new FakeClock(), heapBytes: () => 500 * MiB });
    for (const name of ['a1', 'a2', 'a3']) void ask(work, name, { bytes: 0.75 * MiB });
    await settled();
    expect(begun).to.deep.equal(['a1', 'a2']);
  });

  it('is taken in turns by users', async () => {
    const work = new WorkShare({ capacity: 3 * MiB, clock: new FakeClock() });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2']) void ask(work, name);
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']) {
      await settled();
      expect(begun.at(-1)).to.equal(name);
      under.get(name)?.end();
    }
  });

  it('has as much again for those of whom nothing is worked on, while others keep what they have', async () => {
    const clock = new FakeClock();
    const work = new WorkShare({ capacity: 3 * MiB, clock });
    for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) void ask(work, name, { bytes: 2 * MiB });
    await settled();
    expect(begun).to.deep.equal(['a1']);
    await clock.advance(250);
    await settled();
    expect(begun).to.deep.equal(['a1', 'b1', 'c1']);
    await clock.advance(10_000);
    await settled();
    expect(begun).to.deep.equal(['a1', 'b1', 'c1']);
    under.get('b1')?.end();
    await clock.advance(250);
    await settled();
    expect(begun).to.deep.equal(['a1', 'b1', 'c1', 'b2']);
  });

  it('has a body that is larger than all of it beside one of somebody else', async () => {
    const clock = new FakeClock();
    const work = new WorkShare({ capacity: MiB, clock });
    for (const name of ['a1', 'a2', 'b1', 'c1']) void ask(work, name);
    await settled();
    await clock.advance(10_000);
    await settled();
    expect(begun).to.deep.equal(['a1', 'b1']);
    under.get('b1')?.end();
    await clock.advance(250);
    await settled();
    expect(begun).to.deep.equal(['a1', 'b1', 'c1']);
  });

  it('does not keep small bodies waiting, nor one that is larger than all of the room', async () => {
    const work = new WorkShare({ capacity: MiB });
    await ask(work, 'a1', { bytes: 3 * MiB });
    expect(work.begin(ofUser('a'), Buffer.alloc(128 * 1024, ' '), undefined)).to.not.be.instanceOf(Promise);
    expect(begun).to.deep.equal(['a1']);
  });

  describe('is the time between two looks at the sockets', () => {
    const small = Buffer.alloc(1024, ' ');
    let now: number;
    let work: WorkShare;
    const clock = { now: () => now, setTimer: () => ({ cancel: () => undefined }) };
    /** What waits for its turn, and not for longer steps of others: each takes 11 ms. */
    const step = async (name: string, turns: Turns | Promise<Turns>): Promise<void> => {
      under.set(name, await turns);
      begun.push(name);
      now += 11;
    };

    beforeEach(() => {
      now = 0;
      work = new WorkShare({ clock });
    });

    it('which small bodies that came at once take in turns', async () => {
      const first = work.begin(ofUser('a'), small, undefined);
      expect(first).to.not.be.instanceOf(Promise);
      now += 9;
      expect(work.begin(ofUser('a'), small, undefined)).to.not.be.instanceOf(Promise);
      now += 2;
      for (const name of ['a3', 'a4', 'b1']) void step(name, work.begin(ofUser(name[0]!), small, undefined));
      const seen: number[] = [];
      for (let i = 0; i < 8; i++) {
        await turn();
        seen.push(begun.length);
      }
      expect(begun).to.deep.equal(['a3', 'b1', 'a4']);
      // One at most is added each time.
      expect(seen.every((count, i) => count - (seen[i - 1] ?? 0) <= 1)).to.equal(true);
    });

    it('as many as ten milliseconds have room for, and nobody before those who wait', async () => {
      void work.begin(ofUser('a'), small, undefined);
      now += 11;
      const shortStep = async (name: string): Promise<void> => {
        await work.begin(ofUser(name), small, undefined);
        begun.push(name);
        now += 1;
      };
      for (let i = 0; i < 25; i++) void shortStep(`a${i}`);
      const seen: number[] = [];
      for (let i = 0; i < 5; i++) {
        await turn();
        seen.push(begun.length);
        if (i === 0) void shortStep('late');
      }
      expect(seen.filter((count, i) => count !== seen[i - 1])).to.deep.equal([10, 20, 26]);
      expect(begun.at(-1)).to.equal('late');
    });

    it('anew once the sockets were looked at', async () => {
      void work.begin(ofUser('a'), small, undefined);
      now += 100;
      await settled();
      expect(work.begin(ofUser('a'), small, undefined)).to.not.be.instanceOf(Promise);
    });

    it('for changes of small stored objects as well', async () => {
      const turns = work.turns(ofUser('a'));
      expect(turns.before(small)).to.equal(undefined);
      now += 11;
      expect(turns.before(small)).to.be.instanceOf(Promise);
      await settled();
      expect(turns.before(small)).to.equal(undefined);
    });
  });

  it('is given back by those who need not go on', async () => {
    const work = new WorkShare({ capacity: 3 * MiB });
    const gone = new AbortController();
    await ask(work, 'a1');
    const refused = ask(work, 'b1', { owner: ofUser('b', gone.signal) }).catch((error: unknown) => String(error));
    void ask(work, 'c1');
    gone.abort(new RangeError('gone'));
    under.get('a1')?.end();
    expect(await refused).to.equal('RangeError: gone');
    await settled();
    expect(begun).to.deep.equal(['a1', 'c1']);
  });

  describe('has a while without a step', () => {
    let now: number;
    let timers: (() => void)[];
    let steps: string[];
    const clock = {
      now: () => now,
      setTimer: (callback: () => void) => {
        timers.push(callback);
        return { cancel: () => undefined };
      },
    };
    const made = async (queue: TurnQueue, name: string, tookMs: number): Promise<void> => {
      await queue.take('a');
      steps.push(name);
      now += tookMs;
    };
    /** The while is over, so late. */
    const passed = async (ms: number): Promise<void> => {
      now += ms;
      timers.pop()?.();
      await settled();
    };

    beforeEach(() => {
      now = 0;
      timers = [];
      steps = [];
    });

    it('behind a long one', async () => {
      const queue = new TurnQueue({ clock });
      void made(queue, 'short', 19);
      void made(queue, 'long', 100);
      void made(queue, 'next', 1);
      await settled();
      expect(steps).to.deep.equal(['short', 'long']);
      await passed(5);
      expect(steps).to.deep.equal(['short', 'long', 'next']);
    });

    it('for as long as the step took, while others keep the thread at work', async () => {
      const queue = new TurnQueue({ clock });
      void made(queue, 'long', 100);
      void made(queue, 'next', 1);
      await settled();
      await passed(60);
      expect(steps, 'after 60 ms').to.deep.equal(['long']);
      await passed(60);
      expect(steps, 'after 120 ms').to.deep.equal(['long', 'next']);
    });

    it('behind several short ones, where these add up', async () => {
      const queue = new TurnQueue({ clock, sums: true });
      for (const name of ['first', 'second', 'third']) void made(queue, name, 10);
      await settled();
      expect(steps).to.deep.equal(['first', 'second']);
      await passed(5);
      expect(steps).to.deep.equal(['first', 'second', 'third']);
    });
  });

  it('is the thread: of many with a long step, one makes it between two looks at the sockets', async () => {
    const work = new WorkShare();
    const steps: string[] = [];
    for (const name of ['a1', 'a2', 'b1'])
      void work
        .turns(ofUser(name[0]!))
        .take()
        .then(() => steps.push(name));
    const seen: string[] = [];
    for (let i = 0; i < 4; i++) {
      await turn();
      seen.push(steps.join());
    }
    // One at most is added each time.
    expect(seen.map((each, i) => each.split(',').length - (seen[i - 1]?.split(',').length ?? 0))).to.satisfy(
      (added: number[]) => added.every((count) => count <= 1),
    );
    expect(steps).to.deep.equal(['a1', 'b1', 'a2']);
  });
});
