import {
  controllerOf,
  FormatError,
  formatTime,
  goQuote,
  isAlreadyExists,
  isNotFound,
  messageOf,
} from '@kubechain/apimachinery';
import type { CronJob, CronJobStatus, Job } from '@kubechain/apimachinery/types/batch/v1';
import { loadLocation, parseSchedule, type CronSchedule } from '@kubechain/component-helpers';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { EventRecorder, EventType } from '../events/event-recorder.ts';
import { referenceTo } from '../events/object-reference.ts';
import { finishedAs, succeededAt, surplusJobs } from './job-history.ts';
import { jobName, scheduledJob } from './scheduled-job.ts';
import { dueStart, nextStartInMs } from './starts.ts';

const zonesHelp = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';

/** What one pass over a cron job works with. */
export interface CronJobSyncOptions {
  readonly context: ControllerContext;
  readonly recorder: EventRecorder;
}

/** A cron job's schedule with its time zone in front, as the parser takes it (formatSchedule, 1.36). */
export function scheduleOf({ spec }: CronJob): CronSchedule {
  const { schedule, timeZone } = spec;
  return parseSchedule(timeZone === undefined || schedule.includes('TZ') ? schedule : `TZ=${timeZone} ${schedule}`);
}

/**
 * One pass over a cron job: deletes jobs beyond its history, takes finished ones off its list, and makes the job that
 * is due. Source: cronjob_controllerv2.go sync and syncCronJob (1.36).
 */
export class CronJobSync {
  readonly #options: CronJobSyncOptions;
  readonly #nowMs: number;
  #cronJob: CronJob;
  #status: CronJobStatus;
  #changed = false;

  constructor(cronJob: CronJob, options: CronJobSyncOptions) {
    this.#options = options;
    this.#cronJob = cronJob;
    this.#status = structuredClone(cronJob.status ?? {});
    this.#nowMs = options.context.clock.now();
  }

  /** Resolves to milliseconds until the next pass; undefined when a change must come first. */
  async sync(jobs: readonly Job[]): Promise<number | undefined> {
    for (const job of surplusJobs(this.#cronJob, jobs)) await this.#delete(job);
    let failure: unknown;
    let againMs: number | undefined;
    try {
      await this.#follow(jobs);
      againMs = await this.#start();
    } catch (error) {
      failure = error;
    }
    if (this.#changed)
      await this.#options.context.client
        .resource(resources.cronjobs)
        .updateStatus({ ...this.#cronJob, status: this.#status });
    if (failure !== undefined) throw failure as Error;
    return againMs;
  }

  async #follow(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) await this.#followOne(job);
    const there = new Set(jobs.map(({ metadata }) => metadata?.uid));
    for (const { name = '', namespace, uid } of this.#status.active ?? []) {
      if (there.has(uid)) continue;
      try {
        // The informer may be behind.
        await this.#options.context.client.resource(resources.jobs).get({ name, namespace });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        this.#tell('Normal', 'MissingJob', `Active job went missing: ${name}`);
        this.#takeOff(uid);
        this.#changed = true;
      }
    }
  }

  async #followOne(job: Job): Promise<void> {
    const { name = '', uid } = job.metadata ?? {};
    const end = finishedAs(job);
    if (end === undefined) {
      if (this.#isActive(uid)) return;
      const { name: own = '', namespace } = this.#cronJob.metadata ?? {};
      const fresh = await this.#options.context.client.resource(resources.cronjobs).get({ name: own, namespace });
      if (fresh.status?.active?.some((reference) => reference.uid === uid) === true) {
        this.#cronJob = fresh;
        this.#status = structuredClone(fresh.status);
        return;
      }
      this.#tell('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
      return;
    }
    if (this.#isActive(uid)) {
      this.#takeOff(uid);
      this.#tell('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end}`);
      this.#changed = true;
    }
    const succeeded = succeededAt(job);
    const { lastSuccessfulTime } = this.#status;
    if (succeeded === undefined) return;
    if (lastSuccessfulTime !== undefined && Date.parse(succeeded) <= Date.parse(lastSuccessfulTime)) return;
    this.#status.lastSuccessfulTime = succeeded;
    this.#changed = true;
  }

  async #start(): Promise<number | undefined> {
    const cronJob = this.#cronJob;
    const { concurrencyPolicy, startingDeadlineSeconds } = cronJob.spec;
    if (cronJob.metadata?.deletionTimestamp !== undefined) return undefined;
    const schedule = this.#readSchedule();
    if (schedule === undefined) return undefined;
    const nowMs = this.#nowMs;
    const due = dueStart({ ...cronJob, status: this.#status }, schedule, nowMs);
    if (due.kind === 'impossible') {
      this.#tell(
        'Warning',
        'InvalidSchedule',
        `invalid schedule: ${cronJob.spec.schedule} : time difference between two schedules is less than 1 second`,
      );
      return undefined;
    }
    const next = (): number => nextStartInMs({ ...cronJob, status: this.#status }, schedule, nowMs);
    if (due.kind === 'none') return next();
    const { startMs, tooMany } = due;
    if (tooMany)
      this.#tell(
        'Warning',
        'TooManyMissedTimes',
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      );
    if (startingDeadlineSeconds !== undefined && startMs + startingDeadlineSeconds * 1_000 < nowMs) {
      this.#tell('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${asMail(startMs)}`);
      return next();
    }
    if (this.#isMade(startMs)) return next();
    if (concurrencyPolicy === 'Forbid' && (this.#status.active ?? []).length > 0) {
      const why = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#tell('Normal', 'JobAlreadyActive', why);
      return next();
    }
    if (concurrencyPolicy === 'Replace') await this.#deleteActive();
    const job = await this.#create(startMs);
    if (job === undefined) return undefined;
    this.#status.active = [...(this.#status.active ?? []), referenceTo(job, resources.jobs)];
    this.#status.lastScheduleTime = formatTime(startMs);
    this.#changed = true;
    return next();
  }

  /** Undefined where there is nothing to start by. */
  #readSchedule(): CronSchedule | undefined {
    const { schedule, suspend, timeZone } = this.#cronJob.spec;
    try {
      if (timeZone !== undefined) loadLocation(timeZone);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#tell('Warning', 'UnknownTimeZone', `invalid timeZone: ${goQuote(timeZone ?? '')}: ${error.message}`);
      return undefined;
    }
    if (suspend === true) return undefined;
    if (schedule.includes('TZ'))
      this.#tell(
        'Warning',
        'UnsupportedSchedule',
        `CRON_TZ or TZ used in schedule ${goQuote(schedule)} is not officially supported, see ${zonesHelp} ` +
          'for more details',
      );
    try {
      return scheduleOf(this.#cronJob);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#tell('Warning', 'UnparseableSchedule', `unparseable schedule: ${goQuote(schedule)} : ${error.message}`);
      return undefined;
    }
  }

  /** Undefined where somebody else's job has the name, or the job is on the list already. */
  async #create(startMs: number): Promise<Job | undefined> {
    const jobs = this.#options.context.client.resource(resources.jobs);
    const job = scheduledJob(this.#cronJob, startMs, loadLocation(this.#cronJob.spec.timeZone ?? ''));
    try {
      const created = await jobs.create(job);
      this.#tell('Normal', 'SuccessfulCreate', `Created job ${created.metadata?.name ?? ''}`);
      return created;
    } catch (error) {
      if (isAlreadyExists(error)) {
        // Made before, and then the status could not be written.
        const { name = '', namespace } = job.metadata ?? {};
        const found = await jobs.get({ name, namespace });
        const own = controllerOf(found.metadata)?.uid === this.#cronJob.metadata?.uid;
        return own && !this.#isActive(found.metadata?.uid) ? found : undefined;
      }
      if (!hasCause(error, NAMESPACE_TERMINATING))
        this.#tell('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      throw error;
    }
  }

  async #deleteActive(): Promise<void> {
    for (const { name = '', namespace } of this.#status.active ?? []) {
      let job: Job;
      try {
        job = await this.#options.context.client.resource(resources.jobs).get({ name, namespace });
      } catch (error) {
        this.#tell('Warning', 'FailedGet', `Get job: ${messageOf(error)}`);
        throw error;
      }
      if (!(await this.#delete(job))) throw new Error(`could not replace job ${namespace ?? ''}/${name}`);
    }
  }

  async #delete({ metadata }: Job): Promise<boolean> {
    const { name = '', namespace, uid } = metadata ?? {};
    try {
      await this.#options.context.client
        .resource(resources.jobs)
        .delete({ name, namespace }, { propagationPolicy: 'Background' });
    } catch (error) {
      this.#tell('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return false;
    }
    this.#takeOff(uid);
    this.#tell('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    this.#changed = true;
    return true;
  }

  #isMade(startMs: number): boolean {
    const name = jobName(this.#cronJob, startMs);
    const { active = [], lastScheduleTime } = this.#status;
    return (
      active.some((reference) => reference.name === name) ||
      (lastScheduleTime !== undefined && Date.parse(lastScheduleTime) === startMs)
    );
  }

  #isActive(uid: string | undefined): boolean {
    return this.#status.active?.some((reference) => reference.uid === uid) === true;
  }

  #takeOff(uid: string | undefined): void {
    const left = (this.#status.active ?? []).filter((reference) => reference.uid !== uid);
    if (left.length > 0) this.#status.active = left;
    else delete this.#status.active;
  }

  #tell(type: EventType, reason: string, message: string): void {
    this.#options.recorder.event(this.#cronJob, resources.cronjobs, { type, reason, message });
  }
}

/** `Thu, 01 Jan 2026 00:00:00 +0000`. */
function asMail(atMs: number): string {
  return new Date(atMs).toUTCString().replace('GMT', '+0000');
}
