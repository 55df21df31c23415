import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { WorkQueueMetrics } from '../metrics/index.ts';
import { WorkQueue } from './work-queue.ts';

describe('WorkQueueMetrics', () => {
  it("counts what client-go's queues count", async () => {
    const clock = new FakeClock();
    const metrics = new WorkQueueMetrics(clock);
    const value = (name: string): number | undefined =>
      metrics.registry.samples(`workqueue_${name}`).find(({ labels }) => labels['name'] === 'deployment')?.value;
    const part = (name: string, suffix: string): number | undefined =>
      metrics.registry.samples(`workqueue_${name}`).find((sample) => sample.name?.endsWith(suffix) === true)?.value;
    const queue = new WorkQueue({ clock, metrics, name: 'deployment' });
    expect([value('depth'), value('adds_total'), value('retries_total')]).to.deep.equal([0, 0, 0]);

    for (const key of ['a', 'b', 'a']) queue.add(key);
    expect([value('depth'), value('adds_total')]).to.deep.equal([2, 2]);
    await clock.advance(2_000);
    await queue.get();
    expect([value('depth'), part('queue_duration_seconds', '_sum')]).to.deep.equal([1, 2]);
    await clock.advance(3_000);
    await queue.get();
    await clock.advance(1_000);
    expect([value('unfinished_work_seconds'), value('longest_running_processor_seconds')]).to.deep.equal([5, 4]);

    // Added while it is worked on: counted at once, waits from now on.
    for (const key of ['a', 'a']) queue.add(key);
    expect([value('depth'), value('adds_total')]).to.deep.equal([0, 3]);
    queue.done('a');
    expect([value('depth'), value('adds_total'), part('work_duration_seconds', '_sum')]).to.deep.equal([1, 3, 4]);
    queue.done('b');
    expect([value('unfinished_work_seconds'), value('longest_running_processor_seconds')]).to.deep.equal([0, 0]);

    queue.addRateLimited('b');
    expect(value('retries_total')).to.equal(1);
    await clock.advance(5);
    expect([value('depth'), value('adds_total')]).to.deep.equal([2, 4]);
  });

  it('counts keys that a waiting worker is given at once', async () => {
    const clock = new FakeClock();
    const metrics = new WorkQueueMetrics(clock);
    const queue = new WorkQueue({ clock, metrics, name: 'job' });
    const taken = queue.get();
    queue.add('a');
    expect(await taken).to.equal('a');
    const named = (name: string): readonly number[] =>
      metrics.registry
        .samples(`workqueue_${name}`)
        .flatMap((sample) => (sample.name === undefined || sample.name.endsWith('_count') ? [sample.value] : []));
    expect([named('adds_total'), named('queue_duration_seconds'), named('depth')]).to.deep.equal([[1], [1], [0]]);
  });
});
