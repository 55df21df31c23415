import type { CronJob, Job } from '@kubechain/apimachinery/types/batch/v1';
import { expect } from 'chai';
import { Indexer, type IndexFunction } from '../informers/indexer.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addCronJobIndex, startedJobs } from './started-jobs.ts';

const job = (name: string, owner: string, kind = 'CronJob', namespace = 'n'): Job => ({
  metadata: {
    name,
    namespace,
    ownerReferences: [{ apiVersion: 'batch/v1', kind, name: owner, uid: `${owner}-1`, controller: true }],
  },
});

describe('jobs of a cron job', () => {
  /** Jobs that count how often they are looked at once they are all there. */
  const jobsOf = (all: readonly Job[], name: string) => {
    const indexer = new Indexer<Job>();
    const informer = {
      addIndex: (index: string, of: IndexFunction<Job>) => indexer.addIndex(index, of),
      byIndex: (index: string, value: string) => indexer.byIndex(index, value),
      list: () => [...indexer.values()],
    } as unknown as SharedInformer<Job>;
    addCronJobIndex(informer);
    let looks = 0;
    for (const each of all)
      indexer.set(keyOf(each), new Proxy(each, { get: (of, key) => (looks++, Reflect.get(of, key)) }));
    looks = 0;
    const cronJob = { metadata: { name, namespace: 'n', uid: `${name}-2` } } as unknown as CronJob;
    const found = startedJobs(informer, cronJob);
    return { looks, names: found.map(({ metadata }) => metadata?.name) };
  };

  it('are those that one of its name controls', () => {
    const all = [job('a', 'x'), job('b', 'y'), job('c', 'x', 'Other'), job('d', 'x', 'CronJob', 'm'), job('e', 'x')];
    expect(jobsOf(all, 'x').names).to.deep.equal(['a', 'e']);
    expect(jobsOf(all, 'none').names).to.deep.equal([]);
  });

  it('are found without a look at those of others', () => {
    const all = Array.from({ length: 5_000 }, (_, i) => job(`j${i}`, `x${i % 1_000}`));
    expect(jobsOf(all, 'x7')).to.deep.equal({ looks: 0, names: ['j7', 'j1007', 'j2007', 'j3007', 'j4007'] });
  });
});
