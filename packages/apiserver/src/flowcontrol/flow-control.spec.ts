import { expect } from 'chai';
import { settle as settled } from '@kubechain/apimachinery/testing';
import { FlowBench, queueLevel, rejectLevel, schemaOf } from './testing/flow-fixtures.ts';

describe('FlowControl', () => {
  it('has the mandatory configuration until it is given another', () => {
    const bench = new FlowBench({ serverLimit: 600 });
    expect([...bench.flowControl.levels.keys()].sort((a, b) => (a < b ? -1 : 1))).to.deep.equal([
      'catch-all',
      'exempt',
    ]);
    const master = bench.send('/api/v1/pods', { groups: ['system:masters'] });
    const anybody = bench.send('/api/v1/pods');
    expect(
      [master, anybody].map(({ decision }) => decision?.kind === 'run' && decision.classification),
    ).to.deep.include.members([bench.flowControl.schemas[0], bench.flowControl.schemas[1]]);
    expect(bench.flowControl.schemas.map(({ name, flowSchemaUID }) => [name, flowSchemaUID])).to.deep.equal([
      ['exempt', ''],
      ['catch-all', ''],
    ]);
  });

  it('tells who classified a request', () => {
    const bench = new FlowBench({ serverLimit: 10, levels: [queueLevel('l')], schemas: [schemaOf('s', 'l')] });
    const { decision } = bench.send();
    expect([decision?.classification?.flowSchemaUID, decision?.classification?.priorityLevelUID]).to.deep.equal([
      'schema-s',
      'level-l',
    ]);
  });

  it('matches by precedence, then by name, and leaves out schemas of levels that are not there', () => {
    const bench = new FlowBench({
      serverLimit: 10,
      levels: [queueLevel('l')],
      schemas: [
        schemaOf('b', 'l', { precedence: 7 }),
        schemaOf('a', 'l', { precedence: 7 }),
        schemaOf('dangling', 'gone', { precedence: 2 }),
        schemaOf('c', 'l', { precedence: 3, users: ['bob'] }),
      ],
    });
    expect(bench.flowControl.schemas.map(({ name }) => name)).to.deep.equal(['exempt', 'c', 'a', 'b', 'catch-all']);
    expect(
      [bench.send('/', { user: 'bob' }), bench.send('/')].map(
        ({ decision }) => decision?.classification?.flowSchemaUID,
      ),
    ).to.deep.equal(['schema-c', 'schema-a']);
  });

  describe('a level that queues', () => {
    // The mandatory catch-all level takes 5 shares of 500.
    const small = {
      serverLimit: 2,
      levels: [queueLevel('l', { shares: 495, queues: 1, handSize: 1, queueLengthLimit: 2 })],
      schemas: [schemaOf('s', 'l')],
    };

    it('lets requests run while there are seats, then wait, then refuses them', async () => {
      const bench = new FlowBench(small);
      const sent = Array.from({ length: 5 }, () => bench.send());
      expect(sent.map(({ state }) => state)).to.deep.equal(['run', 'run', 'waiting', 'waiting', 'refuse']);
      expect(sent[4]?.decision).to.deep.include({ kind: 'refuse', retryAfterSeconds: 1 });
      sent[0]?.end();
      await settled();
      expect(sent[2]?.state).to.equal('run');
    });

    it('gives up after a quarter of the time that a request has', async () => {
      const bench = new FlowBench(small);
      bench.send();
      bench.send();
      const patient = bench.send();
      const hasty = bench.send('/version', { deadlineMs: 4_000 });
      await bench.clock.advance(999);
      expect([patient.state, hasty.state]).to.deep.equal(['waiting', 'waiting']);
      await bench.clock.advance(1);
      expect([patient.state, hasty.state]).to.deep.equal(['waiting', 'refuse']);
      await bench.clock.advance(14_000);
      expect(patient.state).to.equal('refuse');
      expect(patient.context.queuedMs).to.equal(15_000);
      expect(bench.flowControl.levels.get('l')?.queues.waiting).to.equal(0);
    });

    it('forgets a client that leaves its queue', async () => {
      const bench = new FlowBench(small);
      bench.send();
      const second = bench.send();
      const left = bench.send();
      const next = bench.send();
      left.end();
      second.end();
      await settled();
      expect([left.state, next.state]).to.deep.equal(['refuse', 'run']);
      expect(bench.metrics.flow('s', 'l').rejected.get('time-out')).to.equal(1);
    });

    it('asks clients to stay away longer while it refuses many', async () => {
      const bench = new FlowBench(small);
      for (let i = 0; i < 4; i++) bench.send();
      const asked: number[] = [];
      for (let second = 0; second < 4; second++) {
        for (let i = 0; i < 10; i++) bench.send();
        const { decision } = bench.send();
        asked.push(decision?.kind === 'refuse' ? decision.retryAfterSeconds : 0);
        await bench.clock.advance(1_000);
      }
      expect(asked).to.deep.equal([1, 2, 2, 4]);
    });
  });

  it('refuses at once what a level without queues has no seat for', () => {
    const bench = new FlowBench({ serverLimit: 2, levels: [rejectLevel('l', 495)], schemas: [schemaOf('s', 'l')] });
    const sent = [bench.send(), bench.send(), bench.send()];
    expect(sent.map(({ state }) => state)).to.deep.equal(['run', 'run', 'refuse']);
    sent[0]?.end();
    expect(bench.send().state).to.equal('run');
    expect(bench.metrics.flow('s', 'l').rejected.get('concurrency-limit')).to.equal(1);
  });

  it('never makes exempt requests wait', () => {
    const bench = new FlowBench({
      serverLimit: 2,
      levels: [queueLevel('l', { shares: 495, queues: 1, handSize: 1, queueLengthLimit: 1 })],
      schemas: [schemaOf('s', 'l')],
    });
    for (let i = 0; i < 5; i++) bench.send();
    const masters = Array.from({ length: 50 }, () => bench.send('/api/v1/pods', { groups: ['system:masters'] }));
    expect(masters.every(({ state }) => state === 'run')).to.equal(true);
  });

  it('holds the seat of a watch until it is initialised, and counts it until it ends', () => {
    const bench = new FlowBench({
      serverLimit: 1,
      levels: [queueLevel('l', { shares: 495, queues: 1, handSize: 1 })],
      schemas: [schemaOf('s', 'l')],
    });
    const watch = bench.send('/api/v1/pods?watch=true');
    const behind = bench.send();
    expect([watch.state, behind.state]).to.deep.equal(['run', 'waiting']);
    watch.context.watchInitialized();
    expect(bench.flowControl.levels.get('l')?.queues.executing.size).to.equal(1);
    watch.context.watchInitialized();
    watch.end();
    expect(bench.flowControl.levels.get('l')?.queues.seatsInUse).to.equal(1);
  });

  it('lets other streams pass without a seat', () => {
    const bench = new FlowBench({ serverLimit: 1, levels: [rejectLevel('l', 495)], schemas: [schemaOf('s', 'l')] });
    bench.send();
    expect(bench.send('/api/v1/namespaces/default/pods/a/log').state).to.equal('run');
  });

  it('keeps a level that is gone until its last request has ended', () => {
    const bench = new FlowBench({ serverLimit: 10, levels: [queueLevel('old')], schemas: [schemaOf('s', 'old')] });
    const last = bench.send();
    const reconfigure = (): void => {
      bench.flowControl.configure({ levels: [queueLevel('new')], schemas: [schemaOf('s', 'new')] });
    };
    reconfigure();
    expect([
      bench.flowControl.levels.get('old')?.quiescing,
      bench.send().decision?.classification?.priorityLevelUID,
    ]).to.deep.equal([true, 'level-new']);
    last.end();
    expect(bench.idleCalls).to.equal(1);
    reconfigure();
    expect(bench.flowControl.levels.has('old')).to.equal(false);
  });

  it('takes more and fewer queues while requests wait', async () => {
    const level = (queues: number): ReturnType<typeof queueLevel> =>
      queueLevel('l', { shares: 495, queues, handSize: 1, queueLengthLimit: 50 });
    const bench = new FlowBench({ serverLimit: 1, levels: [level(2)], schemas: [schemaOf('s', 'l')] });
    const running = bench.send();
    const waiting = Array.from({ length: 20 }, (_, i) => bench.send('/version', { user: `user-${i}` }));
    const configured = (queues: number): number | undefined => {
      bench.flowControl.configure({ levels: [level(queues)], schemas: [schemaOf('s', 'l')] });
      return bench.flowControl.levels.get('l')?.queues.queues.length;
    };
    expect([configured(16), configured(1)]).to.deep.equal([16, 2]);
    running.end();
    await Promise.all(
      waiting.map(async (request) => {
        expect((await request.decided).kind).to.equal('run');
        request.end();
      }),
    );
    expect(bench.flowControl.levels.get('l')?.queues.queues.length).to.equal(1);
  });
});

describe('fairness', () => {
  const bench = (queues: number, handSize: number): FlowBench =>
    new FlowBench({
      serverLimit: 10,
      levels: [queueLevel('l', { shares: 495, queues, handSize, queueLengthLimit: 50 })],
      schemas: [schemaOf('s', 'l')],
    });

  it('a noisy user does not starve another', async () => {
    const flows = bench(64, 6);
    const noisy = flows.client('noisy', 200, 100);
    const quiet = flows.client('quiet', 2, 100);
    await flows.clock.advance(10_000);
    // Alone it would get through 2 × 100; beside 200 requests of somebody else it must get nearly that.
    expect(quiet.served()).to.be.greaterThan(80);
    expect(quiet.refused()).to.equal(0);
    expect(noisy.served() + quiet.served()).to.be.within(980, 1_000);
  });

  it('two users who ask for as much as they can get as much', async () => {
    const flows = bench(64, 1);
    const [first, second] = [flows.client('a', 20, 100), flows.client('b', 20, 100)];
    await flows.clock.advance(20_000);
    expect(first.served() / second.served()).to.be.within(0.95, 1.05);
  });

  it('who asks for longer work gets fewer requests through, but as much time', async () => {
    const flows = bench(64, 1);
    const [short, long] = [flows.client('a', 20, 50), flows.client('b', 20, 200)];
    await flows.clock.advance(40_000);
    expect((short.served() * 50) / (long.served() * 200)).to.be.within(0.85, 1.15);
  });

  it('who was away has saved nothing up', async () => {
    const flows = bench(64, 1);
    const steady = flows.client('a', 20, 100);
    await flows.clock.advance(30_000);
    const before = steady.served();
    const late = flows.client('b', 20, 100);
    await flows.clock.advance(10_000);
    expect((steady.served() - before) / late.served()).to.be.within(0.9, 1.1);
  });
});

describe('borrowing', () => {
  const flows = (): FlowBench =>
    new FlowBench({
      serverLimit: 100,
      levels: [
        queueLevel('lender', { shares: 50, lendablePercent: 80, queues: 64, handSize: 6 }),
        queueLevel('borrower', { shares: 45, queues: 64, handSize: 6 }),
      ],
      schemas: [schemaOf('l', 'lender', { users: ['l'] }), schemaOf('b', 'borrower', { users: ['b'] })],
    });
  const limits = ({ flowControl }: FlowBench): (number | undefined)[] =>
    ['lender', 'borrower'].map((name) => flowControl.levels.get(name)?.currentLimit);
  const run = async (bench: FlowBench, rounds: number): Promise<void> => {
    for (let i = 0; i < rounds; i++) {
      await bench.clock.advance(10_000);
      bench.flowControl.adjustLimits();
    }
  };

  it('a level with much to do gets the seats that another does not need', async () => {
    const bench = flows();
    expect(
      ['lender', 'borrower'].map((name) => {
        const level = bench.flowControl.levels.get(name);
        return [level?.nominalLimit, level?.lowerLimit, level?.upperLimit];
      }),
    ).to.deep.equal([
      [50, 10, 150],
      [45, 45, 145],
    ]);
    bench.client('b', 300, 100);
    await run(bench, 2);
    const [lender = 0, borrower = 0] = limits(bench);
    expect(borrower).to.be.greaterThan(70);
    expect(lender).to.be.within(10, 30);
  });

  it('who has lent gets its seats back when it needs them', async () => {
    const bench = flows();
    bench.client('b', 300, 100);
    await run(bench, 2);
    bench.client('l', 300, 100);
    await run(bench, 2);
    expect(limits(bench)).to.deep.equal([50, 45]);
  });

  it('gives nobody less than it keeps when exempt requests take all', async () => {
    const bench = flows();
    for (let i = 0; i < 300; i++) bench.send('/version', { groups: ['system:masters'] });
    await run(bench, 1);
    expect(limits(bench)).to.deep.equal([10, 45]);
  });
});
