import { expect } from 'chai';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { runWorkers } from './run-workers.ts';
import { WorkQueue } from './work-queue.ts';

describe('WorkQueue', () => {
  it('hands a key out once however often it was added', async () => {
    const queue = new WorkQueue({ name: 'test', clock: new FakeClock() });
    for (const key of ['a', 'b', 'a']) queue.add(key);
    expect([await queue.get(), await queue.get(), queue.length]).to.deep.equal(['a', 'b', 0]);
  });

  it('keeps back what is worked on, and hands it out again when it was added meanwhile', async () => {
    const queue = new WorkQueue({ name: 'test', clock: new FakeClock() });
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.add('a');
    expect(queue.length).to.equal(0);
    queue.done('a');
    expect(await queue.get()).to.equal('a');
    queue.done('a');
    expect(queue.idle).to.equal(true);
  });

  it('adds later at the earliest of several times', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ name: 'test', clock });
    queue.addAfter('a', 500);
    queue.addAfter('a', 100);
    queue.addAfter('a', 300);
    await clock.advance(99);
    expect(queue.length).to.equal(0);
    await clock.advance(1);
    expect(queue.length).to.equal(1);
    await queue.get();
    queue.done('a');
    await clock.advance(1000);
    expect(queue.length).to.equal(0);
  });

  it('doubles the delay of a key from 5 ms until it is forgotten', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ name: 'test', clock });
    const delays: number[] = [];
    for (let failures = 0; failures < 5; failures++) {
      if (failures === 3) queue.forget('a');
      const startedMs = clock.now();
      queue.addRateLimited('a');
      while (queue.length === 0) await clock.advance(1);
      delays.push(clock.now() - startedMs);
      await queue.get();
      queue.done('a');
    }
    expect(delays).to.deep.equal([5, 10, 20, 5, 10]);
    expect(queue.numRequeues('a')).to.equal(2);
  });

  it('retries all keys together at the rate of the bucket', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue<number>({ name: 'test', clock, bucket: { qps: 10, burst: 2 } });
    for (let key = 0; key < 4; key++) queue.addRateLimited(key);
    await clock.advance(5);
    expect(queue.length).to.equal(2);
    await clock.advance(95);
    expect(queue.length).to.equal(3);
    await clock.advance(100);
    expect(queue.length).to.equal(4);
  });

  it('ends with those that wait for keys', async () => {
    const queue = new WorkQueue({ name: 'test', clock: new FakeClock() });
    const waiting = queue.get();
    queue.shutDown();
    queue.add('late');
    expect([await waiting, await queue.get()]).to.deep.equal([undefined, undefined]);
  });
});

describe('WorkQueue of several owners', () => {
  const setUp = () =>
    new WorkQueue({ name: 'test', clock: new FakeClock(), sharing: { ownerOf: (key) => key[0] ?? '', most: 2 } });

  it('hands keys out in turns of their owners, and no more of one than it may have at a time', async () => {
    const queue = setUp();
    for (const key of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'a1']) queue.add(key);
    expect(queue.length).to.equal(7);
    const taken: (string | undefined)[] = [];
    for (let i = 0; i < 5; i++) taken.push(await queue.get());
    expect(taken).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2']);

    let next: string | undefined;
    const waiting = queue.get().then((key) => (next = key));
    await new Promise((resolve) => setImmediate(resolve));
    expect([next, queue.length]).to.deep.equal([undefined, 2]);
    queue.done('b1');
    queue.done('a1');
    expect(await waiting).to.equal('a3');
  });

  it('gives what is added to who waits, and back what was added while it was worked on', async () => {
    const queue = setUp();
    const first = queue.get();
    queue.add('a1');
    expect(await first).to.equal('a1');
    queue.add('a1');
    expect(queue.length).to.equal(0);
    const again = queue.get();
    queue.done('a1');
    expect(await again).to.equal('a1');
    queue.done('a1');
    expect(queue.idle).to.equal(true);
  });

  it('retries the keys of each owner at a rate of its own', async () => {
    const clock = new FakeClock();
    const sharing = { ownerOf: (key: string) => key[0] ?? '', most: 2 };
    const queue = new WorkQueue({ name: 'test', clock, sharing, bucket: { qps: 10, burst: 100 } });
    for (let i = 0; i < 10_000; i++) queue.addRateLimited(`a${i}`);
    queue.addRateLimited('b');
    await clock.advance(5);
    expect(queue.length).to.equal(101);
    expect([await queue.get(), await queue.get()]).to.deep.equal(['a0', 'b']);
  });

  it('hands out what an owner has when it may have more at a time', async () => {
    const queue = setUp();
    for (const key of ['a1', 'a2', 'a3']) queue.add(key);
    expect([await queue.get(), await queue.get()]).to.deep.equal(['a1', 'a2']);
    queue.add('a1');
    queue.add('b1');
    expect(await queue.get()).to.equal('b1');
    queue.done('a1');
    expect(await queue.get()).to.equal('a3');
    queue.done('a2');
    expect(await queue.get()).to.equal('a1');
    for (const key of ['a1', 'a3', 'b1']) queue.done(key);
    expect(queue.idle).to.equal(true);
  });
});

describe('runWorkers', () => {
  it('puts back what failed, gives up after maxRetries, and ends with the signal', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ name: 'test', clock });
    const stop = new AbortController();
    const synced: string[] = [];
    const running = runWorkers({
      queue,
      workers: 2,
      signal: stop.signal,
      maxRetries: 2,
      sync: async (key) => {
        synced.push(key);
        if (key === 'bad') throw new Error('no');
      },
    });
    queue.add('bad');
    queue.add('good');
    await clock.advance(1000);
    expect(synced).to.deep.equal(['bad', 'good', 'bad', 'bad']);
    expect(queue.numRequeues('bad')).to.equal(0);
    stop.abort();
    await running;
  });

  it('work on what one owner has with half of them, so that others need not wait for its end', async () => {
    const queue = new WorkQueue({
      name: 'test',
      clock: new FakeClock(),
      sharing: { ownerOf: (key: string) => key[0] ?? '' },
    });
    const stop = new AbortController();
    const begun: string[] = [];
    const ends = new Set<() => void>();
    const running = runWorkers({
      queue,
      workers: 5,
      signal: stop.signal,
      sync: (key) => {
        begun.push(key);
        return new Promise<void>((resolve) => ends.add(resolve));
      },
    });
    for (const key of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3']) queue.add(key);
    await settle();
    expect(begun).to.deep.equal(['a1', 'a2', 'b1', 'b2']);
    stop.abort();
    for (const end of ends) end();
    await running;
  });

  it('let others have the thread between keys about which there is nothing to wait for', async () => {
    const queue = new WorkQueue<number>({ name: 'test', clock: new FakeClock() });
    const stop = new AbortController();
    for (let key = 0; key < 200; key++) queue.add(key);
    let turns = 0;
    let done = 0;
    const running = runWorkers({
      queue,
      workers: 5,
      signal: stop.signal,
      sync: async () => {
        for (const endMs = performance.now() + 0.5; performance.now() < endMs;);
        done++;
      },
    });
    for (; done < 200; turns++) await new Promise((resolve) => setImmediate(resolve));
    // A hundred milliseconds of work, ten at a time.
    expect(turns).to.be.at.least(5);
    stop.abort();
    await running;
  });
});
