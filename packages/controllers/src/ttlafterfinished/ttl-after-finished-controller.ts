import { isNotFound } from '@kubechain/apimachinery';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { ttlLeftMs } from './ttl.ts';

/** Deletes finished jobs when their time is over (pkg/controller/ttlafterfinished, 1.36). */
export class TTLAfterFinishedController implements Controller {
  readonly #context: ControllerContext;
  readonly #jobs: SharedInformer<Job>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = namespacedQueue(context, 'ttl_jobs_to_delete');
    this.#jobs = context.informers.informer(resources.jobs);
    const plan = (job: Job): void => {
      if (ttlLeftMs(job, context.clock.now()) !== undefined) this.#queue.add(keyOf(job));
    };
    this.#jobs.addHandlers({ onAdd: plan, onUpdate: plan });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#jobs.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['concurrent-ttl-after-finished-syncs'],
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, job) => this.#context.log.error('error cleaning up Job, will retry', error, { job }),
    });
  }

  async #sync(key: string): Promise<void> {
    const job = this.#jobs.get(key);
    if (job === undefined || !this.#isOver(key, job)) return;
    const jobs = this.#context.client.resource(resources.jobs);
    try {
      // The informer may not know yet that the job is to stay longer.
      const fresh = await jobs.get(splitKey(key));
      if (!this.#isOver(key, fresh)) return;
      const uid = fresh.metadata?.uid;
      await jobs.delete(splitKey(key), {
        propagationPolicy: 'Foreground',
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #isOver(key: string, job: Job): boolean {
    const leftMs = ttlLeftMs(job, this.#context.clock.now());
    if (leftMs !== undefined && leftMs > 0) this.#queue.addAfter(key, leftMs);
    return leftMs !== undefined && leftMs <= 0;
  }
}
