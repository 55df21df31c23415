import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { Cause } from './cause.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

const pod = (name: string, priority = 0): Pod => ({
  metadata: { namespace: 'n', name, uid: name },
  spec: { containers: [], priority },
});
const resources = new Set<Cause>(['resources']);
const volumes = new Set<Cause>(['volumes']);

describe('SchedulingQueue', () => {
  let clock: FakeClock;
  let queue: SchedulingQueue;
  let woken: number;
  beforeEach(() => {
    clock = new FakeClock();
    woken = 0;
    queue = new SchedulingQueue(clock, () => woken++);
  });
  const names = (): (string | undefined)[] => {
    const found: (string | undefined)[] = [];
    for (let next = queue.next(); next !== undefined; next = queue.next()) found.push(next.metadata?.name);
    return found;
  };
  const refuse = (name: string, causes: ReadonlySet<Cause>): void => {
    expect(queue.next()?.metadata?.name).to.equal(name);
    queue.refused(pod(name), causes);
  };

  it('gives the most important first, then the oldest', () => {
    for (const [name, priority] of [
      ['a', 0],
      ['b', 5],
      ['c', 0],
      ['d', 5],
    ] as const)
      queue.add(pod(name, priority));
    queue.add(pod('a'));
    expect(names()).to.deep.equal(['b', 'd', 'a', 'c']);
  });
  it('keeps what fits nowhere until something happens that it waits for', async () => {
    queue.add(pod('a'));
    refuse('a', resources);
    await clock.advance(60_000);
    queue.happened(volumes);
    expect(names()).to.deep.equal([]);
    woken = 0;
    queue.happened(resources);
    expect([woken, names()]).to.deep.equal([1, ['a']]);
  });
  it('makes it wait longer with each attempt, to ten seconds', async () => {
    queue.add(pod('a'));
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      refuse('a', resources);
      queue.happened(resources);
      const startedMs = clock.now();
      while (queue.sizes.active === 0) await clock.advance(500);
      waits.push(clock.now() - startedMs);
    }
    expect(waits).to.deep.equal([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });
  it('does not miss what happens during an attempt', async () => {
    queue.add(pod('a'));
    queue.next();
    queue.happened(volumes);
    queue.refused(pod('a'), resources);
    expect(queue.sizes).to.deep.equal({ active: 0, backingOff: 1, waiting: 0 });
    await clock.advance(1_000);
    expect(names()).to.deep.equal(['a']);
  });
  it('tries everything again after five minutes', async () => {
    queue.add(pod('a'));
    refuse('a', resources);
    await clock.advance(299_999);
    expect(names()).to.deep.equal([]);
    await clock.advance(1);
    expect(names()).to.deep.equal(['a']);
  });
  it('forgets who is gone, and begins anew with who has changed', async () => {
    queue.add(pod('a'));
    refuse('a', resources);
    queue.delete('n/a');
    queue.happened(resources);
    await clock.advance(400_000);
    expect(names()).to.deep.equal([]);
    queue.add(pod('b'));
    refuse('b', resources);
    queue.refresh(pod('b'));
    expect(names()).to.deep.equal([]);
    queue.add(pod('b'));
    expect(names()).to.deep.equal(['b']);
  });
});
