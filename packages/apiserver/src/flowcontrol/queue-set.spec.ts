import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { CompiledFlowSchema } from './compiled-flow-schema.ts';
import { FlowCell, LevelCell } from './flow-metrics.ts';
import { FlowRequest } from './flow-request.ts';
import { QueueSet } from './queue-set.ts';

const nobody = { finish: () => undefined, cancel: () => undefined, closed: () => undefined };
const contextOf = (user: string): ServerRequestContext =>
  ({ requestInfo: { verb: 'get' }, user: { name: user, groups: [] } }) as unknown as ServerRequestContext;

describe('queue set', () => {
  let clock: FakeClock;
  let queues: QueueSet;
  let schema: CompiledFlowSchema;
  /** Names of requests, in the order in which they got their seats after waiting. */
  let served: string[];

  beforeEach(() => {
    clock = new FakeClock();
    served = [];
    schema = { cell: new FlowCell('schema', 'level') } as unknown as CompiledFlowSchema;
    const queuing = { kind: 'queue', queues: 2, handSize: 1, queueLengthLimit: 2 } as const;
    queues = new QueueSet(queuing, {
      clock,
      cell: new LevelCell('level', clock.now()),
      observer: { waiting: () => undefined },
      onDemand: () => undefined,
    });
    queues.configure(queuing, { seats: 1, denominator: 1 });
  });

  const request = (name: string, { seats = 1, additionalLatencyMs = 0, user = name } = {}): FlowRequest => {
    const made = new FlowRequest(nobody, contextOf(user), {
      schema,
      distinguisher: name,
      mutating: false,
      estimate: { initialSeats: seats, finalSeats: 0, additionalLatencyMs },
    });
    made.onDecision = (execute) => {
      if (execute) served.push(name);
    };
    return made;
  };

  it('lets a request run while there is a seat', () => {
    expect(queues.start(request('a'), [0])).to.equal('executing');
    expect(queues.seatsInUse).to.equal(1);
  });

  it('lets a request wait that finds no seat', () => {
    queues.start(request('a'), [0]);
    expect(queues.start(request('b'), [0])).to.equal('waiting');
    expect(queues.waiting).to.equal(1);
  });

  it('refuses a request whose queue is full', () => {
    for (const name of ['a', 'b', 'c']) queues.start(request(name), [0]);
    expect(queues.start(request('d'), [0])).to.equal('queue-full');
    expect(queues.rejected).to.equal(1);
  });

  it('gives the seat of a request that ends to the one that has waited longest', () => {
    const first = request('a');
    queues.start(first, [0]);
    queues.start(request('b'), [0]);
    queues.start(request('c'), [0]);
    queues.finish(first);
    expect(served).to.deep.equal(['b']);
  });

  it('serves a queue that had nothing before one that has had its turn', async () => {
    const first = request('busy-1');
    queues.start(first, [0]);
    queues.start(request('busy-2'), [0]);
    queues.start(request('rare'), [1]);
    await clock.advance(200);
    queues.finish(first);
    expect(served).to.deep.equal(['rare']);
  });

  it('lets users through of whom nothing runs, while others keep their seats for long', async () => {
    queues.start(request('slow-1', { user: 'eve' }), [0]);
    queues.start(request('slow-2', { user: 'eve' }), [0]);
    const quick = request('quick-1', { user: 'ann' });
    queues.start(quick, [1]);
    const next = request('quick-2', { user: 'ann' });
    queues.start(next, [1]);
    await clock.advance(250);
    expect(served).to.deep.equal([]);
    await clock.advance(250);
    expect(served).to.deep.equal(['quick-1']);
    expect(queues.seatsInUse).to.equal(2);
    await clock.advance(60_000);
    expect(served).to.deep.equal(['quick-1']);
    queues.finish(quick);
    expect(served).to.deep.equal(['quick-1', 'quick-2']);
    queues.finish(next);
    expect(queues.start(request('at-once', { user: 'bob' }), [1])).to.equal('executing');
  });

  describe('while seats are kept for long', () => {
    const queuing = { kind: 'queue', queues: 2, handSize: 1, queueLengthLimit: 2 } as const;
    const limitTo = (seats: number): void => {
      queues.configure(queuing, { seats, denominator: seats });
    };
    const eve: FlowRequest[] = [];
    /** As many requests of eve, which have kept their seats for long. */
    const keep = async (count: number): Promise<void> => {
      eve.length = 0;
      for (let i = 0; i < count; i++) eve.push(request(`eve-${i}`, { user: 'eve' }));
      for (const each of eve) queues.start(each, [0]);
      // Only while somebody waits it is looked who keeps seats.
      const other = request('other', { user: 'eve', seats: 100 });
      queues.start(other, [1]);
      await clock.advance(500);
      queues.cancel(other);
    };
    const start = (name: string, options: { readonly seats?: number; readonly user?: string } = {}): FlowRequest => {
      const made = request(name, options);
      queues.start(made, [1]);
      return made;
    };
    const states = (...requests: readonly FlowRequest[]): string[] => requests.map(({ state }) => state);

    it('gives as many extra ones as are kept, whether its limit was lowered or not', async () => {
      limitTo(4);
      await keep(4);
      limitTo(2);
      expect(states(start('ann'), start('bob'), start('carl'))).to.deep.equal(['executing', 'executing', 'waiting']);
      expect(queues.seatsInUse).to.equal(6);
    });

    it('gives no more extra ones than are kept, where others run quickly', async () => {
      limitTo(3);
      await keep(1);
      start('dan');
      start('dora');
      expect(states(start('ann'), start('bob'))).to.deep.equal(['executing', 'waiting']);
    });

    it('gives seats that get free to those whose turn it is, however many extra ones there are', async () => {
      limitTo(2);
      await keep(1);
      const ann = start('ann');
      const bob = start('bob');
      expect(states(ann, bob)).to.deep.equal(['executing', 'executing']);
      const next = start('eve-next', { user: 'eve' });
      queues.finish(ann);
      expect(states(next)).to.deep.equal(['executing']);
      expect(states(start('carl')), 'both seats and the extra one are taken').to.deep.equal(['waiting']);
    });

    it('counts extra ones that are not needed any more as its own', async () => {
      limitTo(2);
      await keep(2);
      const [ann, bob, next] = [start('ann'), start('bob'), start('eve-next', { user: 'eve' })];
      queues.finish(eve[0]!);
      expect([...states(ann, bob, next), queues.seatsInUse]).to.deep.equal(['executing', 'executing', 'waiting', 3]);
      queues.finish(eve[1]!);
      expect([...states(next), queues.seatsInUse]).to.deep.equal(['waiting', 2]);
      queues.finish(ann);
      expect([...states(next), queues.seatsInUse]).to.deep.equal(['executing', 2]);
    });

    it('lets users through beside a request that is too wide for what is left', async () => {
      limitTo(4);
      await keep(2);
      const wide = start('wide', { seats: 3 });
      expect(states(wide, start('ann'), start('bob'))).to.deep.equal(['waiting', 'executing', 'executing']);
      queues.finish(eve[0]!);
      expect(states(wide)).to.deep.equal(['waiting']);
      queues.finish(eve[1]!);
      expect(states(wide), 'the extra ones are its own now').to.deep.equal(['waiting']);
    });

    it('refuses nobody of whom nothing runs because a queue is full', async () => {
      await keep(1);
      for (const name of ['eve-2', 'eve-3']) start(name, { user: 'eve' });
      expect(queues.start(request('eve-4', { user: 'eve' }), [1])).to.equal('queue-full');
      expect(queues.start(request('ann'), [1])).to.equal('executing');
      expect(queues.start(request('bob'), [1])).to.equal('queue-full');
    });

    it('does not look at those that wait when one begins or ends', async () => {
      const long = { ...queuing, queueLengthLimit: 1_000 };
      queues.configure(long, { seats: 1, denominator: 1 });
      let asked = 0;
      const watched = (name: string): FlowRequest => {
        const made = request(name);
        const { user } = made.context;
        Object.defineProperty(made.context, 'user', { get: () => (asked++, user) });
        return made;
      };
      await keep(1);
      for (let i = 0; i < 1_000; i++) queues.start(watched('eve'), [i % 2]);
      await clock.advance(500);
      asked = 0;
      for (let i = 0; i < 10; i++) {
        const quick = watched('quick');
        expect(queues.start(quick, [1])).to.equal('executing');
        queues.finish(quick);
      }
      expect(asked).to.be.lessThan(100);
    });
  });

  it('takes the service accounts of a namespace for one user then', async () => {
    const [first, second] = ['a', 'b'].map((name) => `system:serviceaccount:n:${name}`);
    queues.start(request('slow', { user: first! }), [0]);
    queues.start(request('slow-too', { user: second! }), [1]);
    await clock.advance(60_000);
    expect(served).to.deep.equal([]);
  });

  it('keeps the seats of a request for its additional latency', async () => {
    const slow = request('a', { additionalLatencyMs: 50 });
    queues.start(slow, [0]);
    queues.start(request('b'), [0]);
    queues.finish(slow);
    expect(served).to.deep.equal([]);
    await clock.advance(50);
    expect(served).to.deep.equal(['b']);
  });

  it('lets a request that is wider than the level run alone', () => {
    expect(queues.start(request('wide', { seats: 5 }), [0])).to.equal('executing');
    expect(queues.start(request('b'), [1])).to.equal('waiting');
  });

  it('takes a waiting request out that is cancelled', () => {
    const waiting = request('b');
    queues.start(request('a'), [0]);
    queues.start(waiting, [0]);
    queues.cancel(waiting);
    expect(queues.waiting).to.equal(0);
    expect(queues.cancelled).to.equal(1);
  });

  it('lets those that wait run when it gets more seats', () => {
    queues.start(request('a'), [0]);
    queues.start(request('b'), [0]);
    queues.configure({ kind: 'queue', queues: 2, handSize: 1, queueLengthLimit: 2 }, { seats: 2, denominator: 2 });
    expect(served).to.deep.equal(['b']);
  });

  it('is idle when nobody runs and nobody waits', () => {
    const only = request('a');
    queues.start(only, [0]);
    expect(queues.idle).to.equal(false);
    queues.finish(only);
    expect(queues.idle).to.equal(true);
  });
});
