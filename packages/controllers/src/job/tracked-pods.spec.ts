import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { Indexer, type IndexFunction } from '../informers/indexer.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { trackingFinalizer } from './job-pods.ts';
import { TrackedPods } from './tracked-pods.ts';

const pod = (name: string, labels: Record<string, string>, finalizers: readonly string[], namespace = 'n'): Pod => ({
  metadata: { name, namespace, labels, finalizers: [...finalizers] },
});
const job = (name: string, labels: Record<string, string>): Job =>
  ({ metadata: { name, namespace: 'n', uid: name }, spec: { selector: { matchLabels: labels } } }) as unknown as Job;

describe('pods that jobs have left', () => {
  /** The keys that are found, and how often a pod's labels were looked at. */
  const found = async (pods: readonly Pod[], jobs: readonly Job[]) => {
    const indexer = new Indexer<Pod>();
    const informer = {
      addIndex: (name: string, of: IndexFunction<Pod>) => indexer.addIndex(name, of),
      byIndex: (name: string, value: string) => indexer.byIndex(name, value),
    } as unknown as SharedInformer<Pod>;
    const keys = new Set<string>();
    const tracked = new TrackedPods(new FakeClock(), informer, (key) => keys.add(key));
    let looks = 0;
    for (const each of pods) {
      const { labels = {}, ...rest } = each.metadata ?? {};
      const metadata = Object.defineProperty(rest, 'labels', { get: () => (looks++, labels) });
      indexer.set(keyOf(each), { ...each, metadata });
    }
    for (const each of jobs) tracked.lookFor(each);
    const stop = new AbortController();
    const running = tracked.run(stop.signal);
    await settle();
    stop.abort();
    await running;
    return { keys: [...keys], looks };
  };

  it('are those with their finalizer and the labels of their selectors', async () => {
    const pods = [
      pod('a', { j: '1' }, [trackingFinalizer]),
      pod('b', { j: '2' }, [trackingFinalizer]),
      pod('c', { j: '1' }, []),
      pod('d', { j: '1' }, [trackingFinalizer], 'm'),
    ];
    expect((await found(pods, [job('one', { j: '1' })])).keys).to.deep.equal(['n/a']);
  });

  it('are looked for among those with the finalizer alone, once for each job however often it is shown', async () => {
    const pods = Array.from({ length: 1_000 }, (_, i) => pod(`p${i}`, { j: '1' }, i < 3 ? [trackingFinalizer] : []));
    const jobs = Array.from({ length: 100 }, (_, i) => job(`j${i % 10}`, { j: '1' }));
    expect(await found(pods, jobs)).to.deep.equal({ keys: ['n/p0', 'n/p1', 'n/p2'], looks: 30 });
  });
});
