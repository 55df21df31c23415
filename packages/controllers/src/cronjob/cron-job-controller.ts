import { controllerOf, FormatError } from '@kubechain/apimachinery';
import type { CronJob, Job } from '@kubechain/apimachinery/types/batch/v1';
import type { CronSchedule } from '@kubechain/component-helpers';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { CronJobSync, scheduleOf } from './cron-job-sync.ts';
import { nextStartInMs } from './starts.ts';
import { addCronJobIndex, startedJobs } from './started-jobs.ts';

/** Makes jobs when they are due (pkg/controller/cronjob, 1.36). */
export class CronJobController implements Controller {
  readonly #context: ControllerContext;
  readonly #cronJobs: SharedInformer<CronJob>;
  readonly #jobs: SharedInformer<Job>;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('cronjob-controller');
    this.#queue = namespacedQueue(context, 'cronjob');
    this.#cronJobs = context.informers.informer(resources.cronjobs);
    this.#jobs = context.informers.informer(resources.jobs);
    addCronJobIndex(this.#jobs);
    this.#cronJobs.addHandlers({
      onAdd: (cronJob) => this.#queue.add(keyOf(cronJob)),
      onUpdate: (cronJob, before) => this.#cronJobUpdated(cronJob, before),
    });
    const queueOwner = (job: Job): void => {
      const owner = this.#ownerOf(job);
      if (owner !== undefined) this.#queue.add(keyOf(owner));
    };
    this.#jobs.addHandlers({
      onAdd: queueOwner,
      onUpdate: (job, before) => {
        if (job.metadata?.resourceVersion === before.metadata?.resourceVersion) return;
        if (controllerOf(job.metadata)?.uid !== controllerOf(before.metadata)?.uid) queueOwner(before);
        queueOwner(job);
      },
      onDelete: queueOwner,
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#cronJobs.waitForSync(signal), this.#jobs.waitForSync(signal)]);
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['concurrent-cron-job-syncs'],
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, cronJob) => this.#context.log.error('error syncing CronJobController', error, { cronJob }),
    });
  }

  #cronJobUpdated(cronJob: CronJob, before: CronJob): void {
    const { schedule, timeZone } = cronJob.spec;
    if (schedule === before.spec.schedule && timeZone === before.spec.timeZone) {
      this.#queue.add(keyOf(cronJob));
      return;
    }
    let parsed: CronSchedule;
    try {
      parsed = scheduleOf(cronJob);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#recorder.event(cronJob, resources.cronjobs, {
        type: 'Warning',
        reason: 'UnParseableCronJobSchedule',
        message: `unparseable schedule for cronjob: ${schedule}`,
      });
      return;
    }
    this.#queue.addAfter(keyOf(cronJob), nextStartInMs(cronJob, parsed, this.#context.clock.now()));
  }

  #ownerOf({ metadata }: Job): CronJob | undefined {
    const reference = controllerOf(metadata);
    if (reference?.kind !== 'CronJob') return undefined;
    const cronJob = this.#cronJobs.get(`${metadata?.namespace ?? ''}/${reference.name}`);
    return cronJob?.metadata?.uid === reference.uid ? cronJob : undefined;
  }

  async #sync(key: string): Promise<void> {
    const cronJob = this.#cronJobs.get(key);
    if (cronJob === undefined) return;
    const jobs = startedJobs(this.#jobs, cronJob);
    const againMs = await new CronJobSync(cronJob, { context: this.#context, recorder: this.#recorder }).sync(jobs);
    if (againMs !== undefined) this.#queue.addAfter(key, againMs);
  }
}
