import type { LabelSelector, TimerClock } from '@kubechain/apimachinery';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { inTurns } from '../clock/in-turns.ts';
import { namespacesInTurns } from '../controller/namespaces-in-turns.ts';
import { selectorOf } from '../controller/selector-of.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isTracked } from './job-pods.ts';

const index = 'tracked by jobs';

/**
 * Finds pods that jobs which have ended, or are gone, have left with their finalizer (cleanupPodFinalizers, 1.36).
 * Ended jobs are shown again and again, thousands of them with each list that is read anew, beside thousands of pods;
 * so they wait, namespaces take turns, and only pods with the finalizer are looked at.
 */
export class TrackedPods {
  readonly #pods: SharedInformer<Pod>;
  readonly #found: (key: string) => void;
  readonly #queue: WorkQueue;
  /** By `namespace/uid` of a job. */
  readonly #selectors = new Map<string, LabelSelector>();

  /** `found` is given the keys of pods. */
  constructor(clock: TimerClock, pods: SharedInformer<Pod>, found: (key: string) => void) {
    this.#pods = pods;
    this.#found = found;
    this.#queue = new WorkQueue({ clock, name: 'job_tracked_pods', sharing: namespacesInTurns });
    pods.addIndex(index, (pod) => (isTracked(pod) ? [pod.metadata?.namespace ?? ''] : []));
  }

  /** A job has ended or is gone. */
  lookFor(job: Job): void {
    const { namespace = '', uid = '' } = job.metadata ?? {};
    const selector = selectorOf(job);
    if (selector === undefined) return;
    const key = `${namespace}/${uid}`;
    this.#selectors.set(key, selector);
    this.#queue.add(key);
  }

  /** Until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    return runWorkers({ queue: this.#queue, workers: 1, signal, sync: (key) => this.#look(key) });
  }

  async #look(key: string): Promise<void> {
    const selector = this.#selectors.get(key);
    this.#selectors.delete(key);
    const [namespace = ''] = key.split('/', 1);
    await inTurns(this.#pods.byIndex(index, namespace), (pod) => {
      if (selector?.matches(pod.metadata?.labels) === true) this.#found(keyOf(pod));
    });
  }
}
