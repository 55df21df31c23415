import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { counted, WorkQueueMetrics } from './work-queue-metrics.ts';

describe('metrics of work that has no queue of its own', () => {
  const clock = new FakeClock();
  const metrics = new WorkQueueMetrics(clock);
  const queue = metrics.queue('autoregister');
  const value = (name: string): number | undefined => metrics.registry.samples(`workqueue_${name}`)[0]?.value;

  it('tell how many keys wait: those that were added and not taken', async () => {
    for (const key of ['a', 'b']) queue.added(key);
    expect(value('depth')).to.equal(2);
    await counted(queue, 'a', () => {
      expect([value('depth'), value('adds_total')]).to.deep.equal([1, 2]);
      return Promise.resolve();
    });
    expect(value('unfinished_work_seconds')).to.equal(0);
  });

  it('end the work that fails', async () => {
    let failed: unknown;
    await counted(queue, 'b', async () => {
      await clock.advance(1_000);
      expect(value('unfinished_work_seconds')).to.equal(1);
      throw new RangeError('no');
    }).catch((error: unknown) => {
      failed = error;
    });
    expect(failed).to.be.instanceOf(RangeError);
    expect(value('unfinished_work_seconds')).to.equal(0);
  });
});
