import { formatTime, isNotFound } from '@kubechain/apimachinery';
import type { Job, JobStatus } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import type { ControllerContext } from '../controller/controller.ts';
import type { UIDTrackingExpectations } from '../controller/expectations.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { PodControl } from '../pods/pod-control.ts';
import { isPodActive, isPodReady, isPodTerminating } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import type { FinalizerExpectations } from './finalizer-expectations.ts';
import {
  firstMissing,
  formatIntervals,
  intervalsOf,
  parseIntervals,
  sizeOf,
  union,
  type Intervals,
} from './index-intervals.ts';
import { trueCondition, withCondition, type ConditionWords } from './job-conditions.ts';
import {
  failsIndex,
  failuresBefore,
  heldPods,
  indexOf,
  isFailed,
  isIndexed,
  isTracked,
  podsToRemove,
  replacesOnlyFailed,
  templateOf,
  trackingFinalizer,
  validIndexOf,
} from './job-pods.ts';
import { backOffLeftMs, finishedMs, recordAfter, type BackOffRecord } from './pod-back-off.ts';
import { judgeFailure } from './pod-failure-policy.ts';
import { deadlineLeftMs, verdictOf, type Verdict } from './verdict.ts';

/** Pods made or deleted in one go, and pods named in a status, at most. */
const maxPodsPerSync = 500;

/** What one pass over a job works with. */
export interface JobSyncOptions {
  readonly context: ControllerContext;
  readonly recorder: EventRecorder;
  readonly podControl: PodControl;
  readonly expectations: UIDTrackingExpectations;
  readonly finalizers: FinalizerExpectations;
  readonly backOff: BackOffRecord;
  /** Called when the record has changed and the failures in it are in the status. */
  readonly keepBackOff: (record: BackOffRecord) => void;
  /** Called after each write of the status. */
  readonly wrote: (job: Job) => void;
  readonly lookAgain: (afterMs: number) => void;
}

/**
 * One pass over a job: judges whether it is over, makes or deletes pods, and counts those that ended. A pod is counted
 * in three steps, so that none is ever lost or counted twice: its uid goes into `status.uncountedTerminatedPods`, then
 * its finalizer goes, then the uid moves into the counter. Source: job_controller.go syncJob and
 * trackJobStatusAndRemoveFinalizers (1.36).
 */
export class JobSync {
  readonly #options: JobSyncOptions;
  readonly #pods: readonly Pod[];
  readonly #nowMs: number;
  #job: Job;
  #status: JobStatus;
  #active: Pod[];
  #terminating: number;
  #ready: number;
  #record: BackOffRecord;
  #succeeded = 0;
  #succeededIndexes: Intervals = [];
  #failedIndexes: Intervals | undefined;
  #held: ReadonlyMap<number, Pod> = new Map();

  constructor(job: Job, pods: readonly Pod[], options: JobSyncOptions) {
    this.#options = options;
    this.#nowMs = options.context.clock.now();
    this.#job = job;
    this.#status = structuredClone(job.status ?? {});
    this.#pods = isIndexed(job) ? pods.toSorted((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1)) : pods;
    this.#active = pods.filter(isPodActive);
    this.#terminating = pods.filter(isPodTerminating).length;
    this.#ready = this.#active.filter(isPodReady).length;
    this.#record = options.backOff;
  }

  async sync(upToDate: boolean): Promise<void> {
    const { lookAgain } = this.#options;
    const suspended = this.#job.spec?.suspend === true;
    if (this.#status.startTime === undefined && !suspended) this.#status.startTime = formatTime(this.#nowMs);
    const failed = this.#count();
    let activeCount = this.#active.length;
    let changed = false;
    let failure: unknown;
    let verdict = verdictOf(
      { ...this.#job, status: this.#status },
      {
        pods: this.#pods,
        failed,
        succeededIndexes: this.#succeededIndexes,
        failedIndexes: this.#failedIndexes,
        nowMs: this.#nowMs,
      },
    );
    const leftMs = deadlineLeftMs({ ...this.#job, status: this.#status }, this.#nowMs);
    if (verdict === undefined && leftMs !== undefined) lookAgain(leftMs);
    if (verdict !== undefined) {
      const { deleted, error } = await this.#delete(this.#active, false);
      // It is not over before the last pod is on its way out, and none is unseen.
      if (deleted < activeCount || !upToDate) verdict = undefined;
      activeCount -= deleted;
      failure = error;
    } else {
      const manages = upToDate && this.#job.metadata?.deletionTimestamp === undefined;
      if (manages) ({ active: activeCount, error: failure } = await this.#manage());
      const { completions } = this.#job.spec ?? {};
      const enough = completions === undefined ? this.#succeeded > 0 : this.#succeeded >= completions;
      if (enough && activeCount === 0)
        verdict = {
          type: 'SuccessCriteriaMet',
          reason: 'CompletionsReached',
          message: 'Reached expected number of succeeded pods',
        };
      else if (manages) changed = this.#setSuspended(suspended);
    }
    const { active, ready, terminating } = this.#status;
    changed ||= activeCount !== (active ?? 0) || this.#ready !== ready || this.#terminating !== terminating;
    this.#status.active = activeCount;
    this.#status.ready = this.#ready;
    this.#status.terminating = this.#terminating;
    await this.#track(verdict, changed);
    if (failure !== undefined) throw failure as Error;
  }

  /** Counts what has ended so far; returns how many failed. */
  #count(): number {
    const { spec } = this.#job;
    const { uncountedTerminatedPods: uncounted = {} } = this.#status;
    const fresh = this.#pods.filter(
      (pod) => this.#isUncounted(pod) && (!isIndexed(this.#job) || validIndexOf(this.#job, pod) !== undefined),
    );
    // Whoever may write the status may name any number there.
    const [counted, countedFailed] = [new Set(uncounted.succeeded), new Set(uncounted.failed)];
    const succeeded = fresh.filter((pod) => pod.status?.phase === 'Succeeded' && !counted.has(uidOf(pod)));
    const failed = fresh.filter((pod) => isFailed(this.#job, pod) && !countedFailed.has(uidOf(pod)));
    this.#record = recordAfter(this.#options.backOff, { succeeded, failed });
    this.#succeeded = (this.#status.succeeded ?? 0) + succeeded.length + (uncounted.succeeded?.length ?? 0);
    if (isIndexed(this.#job)) {
      const completions = spec?.completions ?? 0;
      const tracked = this.#pods.filter((pod) => isTracked(pod) && validIndexOf(this.#job, pod) !== undefined);
      const indexesOf = (pods: readonly Pod[]): Intervals => intervalsOf(pods.map((pod) => indexOf(pod)!));
      this.#succeededIndexes = union(
        parseIntervals(this.#status.completedIndexes ?? '', completions),
        indexesOf(tracked.filter(({ status }) => status?.phase === 'Succeeded')),
      );
      this.#succeeded = sizeOf(this.#succeededIndexes);
      if (spec?.backoffLimitPerIndex !== undefined) {
        this.#failedIndexes = union(
          parseIntervals(this.#status.failedIndexes ?? '', completions),
          indexesOf(tracked.filter((pod) => failsIndex(this.#job, pod))),
        );
        this.#held = heldPods(
          this.#job,
          this.#pods.filter((pod) => this.#isUncounted(pod)),
          { done: union(this.#succeededIndexes, this.#failedIndexes), active: indexSet(this.#active) },
        );
      }
    }
    const counting = failed.filter((pod) => judgeFailure(spec?.podFailurePolicy, pod).counts);
    return (this.#status.failed ?? 0) + counting.length + (uncounted.failed?.length ?? 0);
  }

  #isUncounted(pod: Pod): boolean {
    return isTracked(pod) && !this.#options.finalizers.of(keyOf(this.#job)).has(uidOf(pod));
  }

  async #manage(): Promise<{ readonly active: number; readonly error: unknown }> {
    const { parallelism = 1, completions, suspend = false } = this.#job.spec ?? {};
    const active = this.#active.length;
    let wanted = completions === undefined ? parallelism : Math.min(completions - this.#succeeded, parallelism);
    if (completions === undefined && this.#succeeded > 0) wanted = active;
    if (suspend) wanted = 0;
    const atLeast = Math.max(0, active - Math.max(0, wanted));
    const doomed = podsToRemove(this.#job, this.#active, { atLeast, nowMs: this.#nowMs });
    if (suspend || doomed.length > 0) {
      const { deleted, error } = await this.#delete(suspend ? this.#active : doomed.slice(0, maxPodsPerSync), true);
      return { active: active - deleted, error };
    }
    const missing = wanted - active - (replacesOnlyFailed(this.#job) ? this.#terminating : 0);
    return missing > 0 ? this.#create(Math.min(missing, maxPodsPerSync)) : { active, error: undefined };
  }

  async #create(missing: number): Promise<{ readonly active: number; readonly error: unknown }> {
    const { expectations, lookAgain, podControl } = this.#options;
    const perIndex = this.#job.spec?.backoffLimitPerIndex !== undefined;
    const waits = perIndex ? [] : [backOffLeftMs(this.#record, this.#nowMs)];
    let indexes: readonly (number | undefined)[] = Array.from({ length: missing }, () => undefined);
    if (isIndexed(this.#job)) {
      const pending = this.#pendingIndexes(missing).map((index) => ({ index, waitMs: this.#indexWaitMs(index) }));
      const due = pending.filter(({ waitMs }) => waitMs === 0);
      if (due.length === 0 && pending.length > 0) waits.push(Math.min(...pending.map(({ waitMs }) => waitMs)));
      indexes = due.map(({ index }) => index);
    }
    const waitMs = Math.max(0, ...waits);
    if (waitMs > 0) {
      lookAgain(Math.max(waitMs, 1_000));
      return { active: 0, error: undefined };
    }
    const key = keyOf(this.#job);
    expectations.expectCreations(key, indexes.length);
    const owner = { object: this.#job, type: resources.jobs };
    const { error, successes } = await slowStart(indexes.length, async (i) => {
      const index = indexes[i];
      const { generateName, template } = templateOf(
        this.#job,
        index,
        index === undefined ? undefined : this.#held.get(index),
      );
      try {
        await podControl.create(owner, template, {
          ownerReference: controllerRef(this.#job, resources.jobs),
          ...(generateName === undefined ? {} : { generateName }),
        });
      } catch (reason) {
        if (!hasCause(reason, NAMESPACE_TERMINATING)) throw reason;
      }
    });
    for (let skipped = indexes.length - successes; skipped > 0; skipped--) expectations.creationObserved(key);
    return { active: this.#active.length + successes, error };
  }

  #pendingIndexes(count: number): number[] {
    let taken = union(this.#succeededIndexes, intervalsOf(indexSet(this.#active)));
    if (replacesOnlyFailed(this.#job)) taken = union(taken, intervalsOf(indexSet(this.#pods.filter(isPodTerminating))));
    return firstMissing(union(taken, this.#failedIndexes ?? []), count, this.#job.spec?.completions ?? 0);
  }

  #indexWaitMs(index: number): number {
    const before = this.#held.get(index);
    if (before === undefined) return 0;
    return backOffLeftMs({ failures: failuresBefore(before) + 1, lastFailureMs: finishedMs(before) }, this.#nowMs);
  }

  /** `release` takes the finalizers first: these pods do not count. */
  async #delete(
    pods: readonly Pod[],
    release: boolean,
  ): Promise<{ readonly deleted: number; readonly error: unknown }> {
    const { expectations, podControl } = this.#options;
    const key = keyOf(this.#job);
    if (release) expectations.expectDeletionsOf(key, pods.map(keyOf));
    const outcomes = await Promise.allSettled(
      pods.map(async (pod) => {
        try {
          if (release && isTracked(pod)) await this.#release(pod);
          await podControl.delete({ object: this.#job, type: resources.jobs }, pod);
        } catch (error) {
          if (release) expectations.deletionOfObserved(key, keyOf(pod));
          if (!isNotFound(error)) throw error;
        }
      }),
    );
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    const deleted = pods.length - failed.length;
    this.#terminating += deleted;
    this.#ready -= pods.filter((pod, i) => isPodReady(pod) && outcomes[i]?.status === 'fulfilled').length;
    return { deleted, error: failed[0]?.reason };
  }

  async #release({ metadata }: Pod): Promise<void> {
    const { name = '', namespace } = metadata ?? {};
    await this.#options.context.client
      .resource(resources.pods)
      .patch(
        { name, namespace },
        { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } },
        { type: 'application/strategic-merge-patch+json' },
      );
  }

  #setSuspended(suspended: boolean): boolean {
    const words: ConditionWords = suspended
      ? { type: 'Suspended', reason: 'JobSuspended', message: 'Job suspended' }
      : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };
    const conditions = withCondition(this.#status.conditions ?? [], words, this.#nowMs);
    if (conditions === undefined) return false;
    this.#status.conditions = conditions;
    // The deadline counts from when the job goes on.
    if (suspended) delete this.#status.startTime;
    else this.#status.startTime = formatTime(this.#nowMs);
    this.#tell('Normal', suspended ? 'Suspended' : 'Resumed', words.message);
    return true;
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.recorder.event(this.#job, resources.jobs, { type, reason, message });
  }

  async #track(verdict: Verdict | undefined, changed: boolean): Promise<void> {
    const { finalizers } = this.#options;
    const key = keyOf(this.#job);
    const held = new Set(this.#pods.filter((pod) => this.#isUncounted(pod)).map(uidOf));
    this.#status.uncountedTerminatedPods ??= {};
    let dirty = this.#settle(held) || changed;
    const { complete, counted, release } = this.#gather(verdict);
    dirty ||= counted;
    if (isIndexed(this.#job)) dirty = this.#writeIndexes() || dirty;
    if (verdict !== undefined && trueCondition({ ...this.#job, status: this.#status }, verdict.type) === undefined) {
      this.#status.conditions = withCondition(this.#status.conditions ?? [], verdict, this.#nowMs)!;
      dirty = true;
    }
    if (dirty) {
      await this.#write();
      this.#options.keepBackOff(this.#record);
      dirty = false;
    }
    finalizers.expect(key, release.map(uidOf));
    const outcomes = await Promise.allSettled(
      release.map(async (pod) => {
        try {
          await this.#release(pod);
        } catch (error) {
          // The informer will not show it.
          finalizers.observed(key, uidOf(pod));
          if (!isNotFound(error)) throw error;
        }
        held.delete(uidOf(pod));
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    dirty = this.#settle(held);
    if (failed === undefined && complete && verdict !== undefined && this.#finish(verdict)) {
      await this.#write();
      this.#tellEnd(verdict);
    } else if (dirty) await this.#write();
    if (failed !== undefined) throw failed.reason as Error;
  }

  /** Names ended pods in the status; says whose finalizers may go then, and whether those are all. */
  #gather(verdict: Verdict | undefined): {
    readonly complete: boolean;
    readonly counted: boolean;
    readonly release: readonly Pod[];
  } {
    const uncounted = this.#status.uncountedTerminatedPods!;
    const named = new Set([...(uncounted.succeeded ?? []), ...(uncounted.failed ?? [])]);
    const release: Pod[] = [];
    let added = 0;
    for (const pod of this.#pods) {
      if (!this.#isUncounted(pod)) continue;
      const uid = uidOf(pod);
      const failed = isFailed(this.#job, pod);
      if (!this.#mayRelease(pod, failed, verdict !== undefined)) continue;
      release.push(pod);
      const known = named.has(uid);
      const counts = !isIndexed(this.#job) || validIndexOf(this.#job, pod) !== undefined;
      if (pod.status?.phase === 'Succeeded') {
        // Of an indexed job the index itself is remembered.
        if (!known && counts) {
          added++;
          if (!isIndexed(this.#job)) (uncounted.succeeded ??= []).push(uid);
        }
      } else if (failed || verdict?.type === 'FailureTarget') {
        if (!known && counts && judgeFailure(this.#job.spec?.podFailurePolicy, pod).counts) {
          added++;
          (uncounted.failed ??= []).push(uid);
        }
      }
      if (added >= maxPodsPerSync) return { complete: false, counted: true, release };
    }
    return { complete: true, counted: added > 0, release };
  }

  #mayRelease(pod: Pod, failed: boolean, over: boolean): boolean {
    if (over || this.#job.metadata?.deletionTimestamp !== undefined || pod.status?.phase === 'Succeeded') return true;
    const index = indexOf(pod);
    return failed && (index === undefined || uidOf(this.#held.get(index)) !== uidOf(pod));
  }

  /** Counts those whose finalizers are gone. */
  #settle(held: ReadonlySet<string>): boolean {
    const uncounted = (this.#status.uncountedTerminatedPods ??= {});
    let changed = false;
    for (const outcome of ['succeeded', 'failed'] as const) {
      const left = (uncounted[outcome] ?? []).filter((uid) => held.has(uid));
      const gone = (uncounted[outcome] ?? []).length - left.length;
      if (gone === 0) continue;
      changed = true;
      this.#status[outcome] = (this.#status[outcome] ?? 0) + gone;
      if (left.length === 0) delete uncounted[outcome];
      else uncounted[outcome] = left;
    }
    return changed;
  }

  #writeIndexes(): boolean {
    const { completedIndexes = '', failedIndexes } = this.#status;
    const completed = formatIntervals(this.#succeededIndexes);
    const failed = this.#failedIndexes === undefined ? undefined : formatIntervals(this.#failedIndexes);
    this.#status.succeeded = sizeOf(this.#succeededIndexes);
    this.#status.completedIndexes = completed;
    if (failed === undefined) delete this.#status.failedIndexes;
    else this.#status.failedIndexes = failed;
    return completed !== completedIndexes || failed !== failedIndexes;
  }

  /** Makes the interim condition the final one, once every pod is counted and gone. */
  #finish({ message, reason, type }: Verdict): boolean {
    const { failed = [], succeeded = [] } = this.#status.uncountedTerminatedPods ?? {};
    if (failed.length + succeeded.length > 0 || this.#terminating > 0) return false;
    const done = type === 'SuccessCriteriaMet';
    const words = { type: done ? 'Complete' : 'Failed', reason, message };
    this.#status.conditions = withCondition(this.#status.conditions ?? [], words, this.#nowMs)!;
    if (done) this.#status.completionTime = formatTime(this.#nowMs);
    return true;
  }

  #tellEnd({ message, reason, type }: Verdict): void {
    if (type === 'FailureTarget') return this.#tell('Warning', reason, message);
    const { completions } = this.#job.spec ?? {};
    if (completions !== undefined && (this.#status.succeeded ?? 0) > completions)
      this.#tell('Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
    this.#tell('Normal', 'Completed', 'Job completed');
  }

  async #write(): Promise<void> {
    this.#job = await this.#options.context.client
      .resource(resources.jobs)
      .updateStatus({ ...this.#job, status: this.#status });
    this.#status = structuredClone(this.#job.status ?? {});
    this.#options.wrote(this.#job);
  }
}

function uidOf(pod: Pod | undefined): string {
  return pod?.metadata?.uid ?? '';
}

function indexSet(pods: readonly Pod[]): ReadonlySet<number> {
  return new Set(pods.map(indexOf).filter((index) => index !== undefined));
}
