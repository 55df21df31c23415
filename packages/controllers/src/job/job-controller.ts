import { controllerOf, isNotFound, type LabelSelector } from '@kubechain/apimachinery';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { ControllerRefManager } from '../controller/controller-ref-manager.ts';
import { selectorOf } from '../controller/selector-of.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { UIDTrackingExpectations } from '../controller/expectations.ts';
import { WrittenVersions } from '../controller/written-versions.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addControllerIndex, ownedOrOrphans } from '../controller/owned-objects.ts';
import { PodControl } from '../pods/pod-control.ts';
import { Adopters } from '../selectors/adopters.ts';
import { FinalizerExpectations } from './finalizer-expectations.ts';
import { isJobFinished } from './job-conditions.ts';
import { isTracked, trackingFinalizer } from './job-pods.ts';
import { TrackedPods } from './tracked-pods.ts';
import { JobSync } from './job-sync.ts';
import { noFailures, type BackOffRecord } from './pod-back-off.ts';

/** Changes of pods are gathered for so long before a job is looked at. */
const batchMs = 1_000;

/** Runs jobs to their end (pkg/controller/job, 1.36). */
export class JobController implements Controller {
  readonly #context: ControllerContext;
  readonly #jobs: SharedInformer<Job>;
  readonly #pods: SharedInformer<Pod>;
  readonly #recorder: EventRecorder;
  readonly #podControl: PodControl;
  readonly #expectations: UIDTrackingExpectations;
  readonly #finalizers = new FinalizerExpectations();
  readonly #written = new WrittenVersions();
  readonly #backOffs = new Map<string, BackOffRecord>();
  readonly #queue: WorkQueue;
  readonly #adopters: Adopters<Job>;
  readonly #tracked: TrackedPods;
  /** Keys of pods that no unfinished job counts: their finalizers go. */
  readonly #orphans: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('job-controller');
    this.#podControl = new PodControl(context.client, this.#recorder);
    this.#expectations = new UIDTrackingExpectations(context.clock);
    this.#queue = namespacedQueue(context, 'job', { firstMs: 1_000, longestMs: 60_000 });
    this.#orphans = namespacedQueue(context, 'job_orphan_pod', { firstMs: 1_000, longestMs: 60_000 });
    this.#jobs = context.informers.informer(resources.jobs);
    this.#pods = context.informers.informer(resources.pods);
    addControllerIndex(this.#pods);
    this.#tracked = new TrackedPods(context.clock, this.#pods, (key) => this.#orphans.add(key));
    this.#adopters = new Adopters(context, {
      owners: this.#jobs,
      selectorOf,
      emptySelectsAll: true,
      queue: (key) => this.#queue.addAfter(key, batchMs),
    });
    this.#jobs.addHandlers({
      onAdd: (job) => this.#queue.add(keyOf(job)),
      onUpdate: (job, before) => this.#jobUpdated(job, before),
      onDelete: (job) => {
        this.#forget(keyOf(job));
        this.#queue.add(keyOf(job));
        this.#tracked.lookFor(job);
      },
    });
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podAdded(pod),
      onUpdate: (pod, before) => this.#podUpdated(pod, before),
      onDelete: (pod) => this.#podDeleted(pod, true),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#jobs.waitForSync(signal), this.#pods.waitForSync(signal)]);
    const workers = this.#context.flags.concurrency['concurrent-job-syncs'];
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers,
        signal,
        sync: (key) => this.#sync(key),
        onError: (error, job) => this.#context.log.error('syncing job', error, { job }),
      }),
      runWorkers({
        queue: this.#orphans,
        workers,
        signal,
        sync: (key) => this.#releaseOrphan(key),
        onError: (error, pod) => this.#context.log.error('Error syncing orphan pod', error, { pod }),
      }),
      this.#adopters.run(signal),
      this.#tracked.run(signal),
    ]);
  }

  #jobUpdated(job: Job, before: Job): void {
    const key = keyOf(job);
    if (job.metadata?.uid !== before.metadata?.uid) this.#forget(key);
    if (isJobFinished(job)) {
      this.#tracked.lookFor(job);
      return;
    }
    this.#queue.addAfter(key, job.metadata?.generation === before.metadata?.generation ? batchMs : 0);
  }

  #podAdded(pod: Pod): void {
    if (pod.metadata?.deletionTimestamp !== undefined) return this.#podDeleted(pod, false);
    const reference = controllerOf(pod.metadata);
    if (reference === undefined) {
      this.#queueTrackedOrphan(pod);
      this.#adopters.added(pod);
      return;
    }
    const job = this.#ownerOf(pod);
    if (job === undefined) return;
    this.#expectations.creationObserved(keyOf(job));
    this.#queue.addAfter(keyOf(job), batchMs);
  }

  #podUpdated(pod: Pod, before: Pod): void {
    if (pod.metadata?.resourceVersion === before.metadata?.resourceVersion) return;
    if (pod.metadata?.deletionTimestamp !== undefined) return this.#podDeleted(pod, false);
    if (controllerOf(pod.metadata)?.uid !== controllerOf(before.metadata)?.uid) this.#podChangedFor(before, pod);
    if (controllerOf(pod.metadata) !== undefined) return this.#podChangedFor(pod, pod);
    this.#queueTrackedOrphan(pod);
    this.#adopters.updated(pod, before);
  }

  #podChangedFor(owned: Pod, now: Pod): void {
    const job = this.#ownerOf(owned);
    if (job === undefined) return;
    if (!isTracked(now)) this.#finalizers.observed(keyOf(job), now.metadata?.uid ?? '');
    this.#queue.addAfter(keyOf(job), batchMs);
  }

  #podDeleted(pod: Pod, final: boolean): void {
    const job = this.#ownerOf(pod);
    if (job === undefined || isJobFinished(job)) {
      if (isTracked(pod)) this.#orphans.add(keyOf(pod));
      return;
    }
    const key = keyOf(job);
    this.#expectations.deletionOfObserved(key, keyOf(pod));
    if (final || !isTracked(pod)) this.#finalizers.observed(key, pod.metadata?.uid ?? '');
    this.#queue.addAfter(key, batchMs);
  }

  #queueTrackedOrphan(pod: Pod): void {
    if (isTracked(pod)) this.#orphans.add(keyOf(pod));
  }

  #ownerOf({ metadata }: Pod): Job | undefined {
    const reference = controllerOf(metadata);
    if (reference?.kind !== 'Job') return undefined;
    const job = this.#jobs.get(`${metadata?.namespace ?? ''}/${reference.name}`);
    return job?.metadata?.uid === reference.uid ? job : undefined;
  }

  #forget(key: string): void {
    this.#expectations.delete(key);
    this.#finalizers.delete(key);
    this.#backOffs.delete(key);
    this.#written.delete(key);
  }

  async #sync(key: string): Promise<void> {
    const job = this.#jobs.get(key);
    if (job === undefined) return this.#forget(key);
    if (isManagedElsewhere(job)) return;
    if (isJobFinished(job)) {
      this.#backOffs.delete(key);
      this.#written.delete(key);
      return;
    }
    // Counting from an old status would count twice; the write will show up as an update, which adds the key again.
    if (!this.#written.shows(job)) return;
    const selector = selectorOf(job);
    if (selector === undefined) return;
    const upToDate = this.#expectations.satisfied(key);
    const pods = await this.#claim(job, selector);
    await new JobSync(job, pods, {
      context: this.#context,
      recorder: this.#recorder,
      podControl: this.#podControl,
      expectations: this.#expectations,
      finalizers: this.#finalizers,
      backOff: this.#backOffs.get(key) ?? noFailures,
      keepBackOff: (record) => this.#backOffs.set(key, record),
      wrote: (written) => this.#written.wrote(written),
      lookAgain: (afterMs) => this.#queue.addAfter(key, afterMs),
    }).sync(upToDate);
  }

  async #claim(job: Job, selector: LabelSelector): Promise<Pod[]> {
    const { client } = this.#context;
    const manager = new ControllerRefManager<Pod>({
      owned: client.resource(resources.pods),
      owner: job,
      owners: client.resource(resources.jobs),
      selector,
      finalizers: [trackingFinalizer],
    });
    const claimed = await manager.claim(ownedOrOrphans(this.#pods, job));
    return claimed.map((pod) => (controllerOf(pod.metadata) === undefined ? asTracked(pod) : pod));
  }

  async #releaseOrphan(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    if (pod === undefined || !isTracked(pod)) return;
    const reference = controllerOf(pod.metadata);
    if (reference !== undefined) {
      if (reference.kind !== 'Job' || reference.apiVersion !== 'batch/v1') return;
      const job = this.#ownerOf(pod);
      if (job !== undefined && (isManagedElsewhere(job) || !isJobFinished(job))) return;
    }
    const { name = '', namespace } = pod.metadata ?? {};
    try {
      await this.#context.client
        .resource(resources.pods)
        .patch(
          { name, namespace },
          { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } },
          { type: 'application/strategic-merge-patch+json' },
        );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function isManagedElsewhere({ spec }: Job): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== 'kubernetes.io/job-controller';
}

/** The adoption has given it the finalizer, which the informer does not show yet. */
function asTracked(pod: Pod): Pod {
  if (isTracked(pod)) return pod;
  return {
    ...pod,
    metadata: { ...pod.metadata, finalizers: [...(pod.metadata?.finalizers ?? []), trackingFinalizer] },
  };
}
