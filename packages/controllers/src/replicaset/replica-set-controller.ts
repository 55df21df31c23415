import {
  controllerOf,
  isNotFound,
  type KubeObject,
  type LabelSelector,
  type ObjectMeta,
} from '@kubechain/apimachinery';
import type { Pod, PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { inTurns } from '../clock/in-turns.ts';
import { ControllerRefManager } from '../controller/controller-ref-manager.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { UIDTrackingExpectations } from '../controller/expectations.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addControllerIndex, ownedOrOrphans } from '../controller/owned-objects.ts';
import { haveSameLabels } from '../controller/same-labels.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import { PodControl } from '../pods/pod-control.ts';
import { availableInMs, isPodActive, isPodReady, isPodTerminating } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import { Adopters } from '../selectors/adopters.ts';
import { isSameStatus, replicaStatus, type ReplicaStatus } from './replica-status.ts';

/** Pods made or deleted in one go, at most. */
const burstReplicas = 500;

/** What ReplicaSets and ReplicationControllers have in common. */
export interface Replicated extends KubeObject {
  readonly metadata?: ObjectMeta;
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly template?: PodTemplateSpec;
  };
  readonly status?: ReplicaStatus;
}

/** How the two kinds differ. */
export interface ReplicatedKind<T extends Replicated> {
  readonly type: ResourceType<T>;
  /** `source.component` of events. */
  readonly component: string;
  /** Name of its work queue in metrics. */
  readonly queue: string;
  /** Undefined for a selector that cannot be used. */
  readonly selectorOf: (object: T) => LabelSelector | undefined;
  /** Whether `status.terminatingReplicas` is kept. */
  readonly countsTerminating: boolean;
}

/**
 * Keeps as many pods of a template as are asked for: adopts what matches, makes what lacks, deletes what is too much,
 * tells in the status (pkg/controller/replicaset, 1.36). Serves both kinds.
 */
export class ReplicaSetController<T extends Replicated> implements Controller {
  readonly #context: ControllerContext;
  readonly #kind: ReplicatedKind<T>;
  readonly #workers: number;
  readonly #sets: SharedInformer<T>;
  readonly #pods: SharedInformer<Pod>;
  readonly #podControl: PodControl;
  readonly #expectations: UIDTrackingExpectations;
  readonly #queue: WorkQueue;
  readonly #adopters: Adopters<T>;

  constructor(context: ControllerContext, kind: ReplicatedKind<T>, workers: number) {
    this.#context = context;
    this.#kind = kind;
    this.#workers = workers;
    this.#sets = context.informers.informer(kind.type);
    this.#pods = context.informers.informer(resources.pods);
    addControllerIndex(this.#pods);
    this.#podControl = new PodControl(context.client, context.recorder(kind.component));
    this.#expectations = new UIDTrackingExpectations(context.clock);
    this.#queue = namespacedQueue(context, kind.queue);
    this.#adopters = new Adopters(context, {
      owners: this.#sets,
      selectorOf: kind.selectorOf,
      queue: (key) => this.#queue.add(key),
    });
    this.#sets.addHandlers({
      onAdd: (set) => this.#queue.add(keyOf(set)),
      onUpdate: (set, before) => {
        // Deleted and made again while nobody looked: what was expected of the first one says nothing of the second.
        if (set.metadata?.uid !== before.metadata?.uid) this.#expectations.delete(keyOf(set));
        this.#queue.add(keyOf(set));
      },
      onDelete: (set) => {
        this.#expectations.delete(keyOf(set));
        this.#queue.add(keyOf(set));
      },
    });
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podAdded(pod),
      onUpdate: (pod, before) => this.#podUpdated(pod, before),
      onDelete: (pod) => this.#podDeleted(pod),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#sets.waitForSync(signal), this.#pods.waitForSync(signal)]);
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers: this.#workers,
        signal,
        sync: (key) => this.#sync(key),
        onError: (error, key) => this.#context.log.error('sync failed', error, { kind: this.#kind.type.kind, key }),
      }),
      this.#adopters.run(signal),
    ]);
  }

  #podAdded(pod: Pod): void {
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#podDeleted(pod);
      return;
    }
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) {
      this.#expectations.creationObserved(keyOf(owner));
      this.#queue.add(keyOf(owner));
    } else this.#adopters.added(pod);
  }

  #podUpdated(pod: Pod, before: Pod): void {
    if (pod.metadata?.resourceVersion === before.metadata?.resourceVersion) return;
    // A deletion shows up as an update long before the object is gone; it counts now.
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#podDeleted(pod);
      if (!haveSameLabels(pod, before)) this.#podDeleted(before);
      return;
    }
    if (controllerOf(pod.metadata)?.uid !== controllerOf(before.metadata)?.uid) this.#queueOwner(before);
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) {
      this.#queue.add(keyOf(owner));
      const wait = owner.spec?.minReadySeconds ?? 0;
      if (!isPodReady(before) && isPodReady(pod) && wait > 0) this.#queue.addAfter(keyOf(owner), wait * 1_000);
      return;
    }
    this.#adopters.updated(pod, before);
  }

  #podDeleted(pod: Pod): void {
    const owner = this.#ownerOf(pod);
    if (owner === undefined) return;
    this.#expectations.deletionOfObserved(keyOf(owner), keyOf(pod));
    this.#queue.add(keyOf(owner));
  }

  #queueOwner(pod: Pod): void {
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) this.#queue.add(keyOf(owner));
  }

  #ownerOf({ metadata }: Pod): T | undefined {
    const reference = controllerOf(metadata);
    if (reference?.kind !== this.#kind.type.kind) return undefined;
    const set = this.#sets.get(`${metadata?.namespace ?? ''}/${reference.name}`);
    return set?.metadata?.uid === reference.uid ? set : undefined;
  }

  async #sync(key: string): Promise<void> {
    const set = this.#sets.get(key);
    if (set === undefined) {
      this.#expectations.delete(key);
      return;
    }
    const selector = this.#kind.selectorOf(set);
    if (selector === undefined) return;
    const upToDate = this.#expectations.satisfied(key);
    const candidates: Pod[] = [];
    const terminating: Pod[] = [];
    await inTurns(ownedOrOrphans(this.#pods, set), (pod) => {
      if (isPodActive(pod)) candidates.push(pod);
      if (isPodTerminating(pod) && controllerOf(pod.metadata)?.uid === set.metadata?.uid) terminating.push(pod);
    });
    const active = await this.#claim(set, selector, candidates);
    let failure: unknown;
    if (upToDate && set.metadata?.deletionTimestamp === undefined)
      failure = await this.#manage(set, active).then(
        () => undefined,
        (error: unknown) => error,
      );
    const nowMs = this.#context.clock.now();
    const status = await replicaStatus(set, {
      active,
      terminating: this.#kind.countsTerminating ? terminating : undefined,
      failure,
      nowMs,
    });
    const updated = await this.#updateStatus(set, status);
    if (failure !== undefined) throw failure as Error;
    this.#planAvailability(updated, active, nowMs);
  }

  #claim(set: T, selector: LabelSelector, pods: readonly Pod[]): Promise<Pod[]> {
    const { client } = this.#context;
    const { type } = this.#kind;
    const manager = new ControllerRefManager<Pod>({
      owned: client.resource(resources.pods),
      owner: set,
      owners: client.resource(type),
      selector,
    });
    return manager.claim(pods);
  }

  async #manage(set: T, active: readonly Pod[]): Promise<void> {
    const difference = active.length - (set.spec?.replicas ?? 1);
    if (difference < 0) await this.#createPods(set, Math.min(-difference, burstReplicas));
    else if (difference > 0) await this.#deletePods(set, active, Math.min(difference, burstReplicas));
  }

  async #createPods(set: T, count: number): Promise<void> {
    const key = keyOf(set);
    const { type } = this.#kind;
    this.#expectations.expectCreations(key, count);
    const { error, successes } = await slowStart(count, async () => {
      try {
        await this.#podControl.create({ object: set, type }, set.spec?.template ?? {}, {
          ownerReference: controllerRef(set, type),
        });
      } catch (reason) {
        // Any would fail; there will be no pods to wait for, and no set soon.
        if (!hasCause(reason, NAMESPACE_TERMINATING)) throw reason;
      }
    });
    for (let skipped = count - successes; skipped > 0; skipped--) this.#expectations.creationObserved(key);
    if (error !== undefined) throw error as Error;
  }

  async #deletePods(set: T, active: readonly Pod[], count: number): Promise<void> {
    const key = keyOf(set);
    const chosen =
      count >= active.length
        ? active
        : inDeletionOrder(active, { nowMs: this.#context.clock.now(), podsOnNode: await this.#podsOnNode(set) });
    const doomed = chosen.slice(0, count);
    this.#expectations.expectDeletionsOf(key, doomed.map(keyOf));
    const outcomes = await Promise.allSettled(
      doomed.map(async (pod) => {
        try {
          await this.#podControl.delete({ object: set, type: this.#kind.type }, pod);
        } catch (error) {
          // The informer will not show it.
          this.#expectations.deletionOfObserved(key, keyOf(pod));
          if (!isNotFound(error)) throw error;
        }
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason as Error;
  }

  /** Pods by node of all sets that the same owner (a Deployment) controls. */
  async #podsOnNode(set: T): Promise<ReadonlyMap<string, number>> {
    const owner = controllerOf(set.metadata)?.uid;
    const related = this.#sets
      .list(set.metadata?.namespace ?? '')
      .filter((other) =>
        owner === undefined ? other.metadata?.uid === set.metadata?.uid : controllerOf(other.metadata)?.uid === owner,
      );
    const selectors = related.map((other) => this.#kind.selectorOf(other)).filter((selector) => selector !== undefined);
    const counts = new Map<string, number>();
    // There may be thousands of both.
    await inTurns(this.#pods.list(set.metadata?.namespace ?? ''), (pod) => {
      if (!isPodActive(pod) || !selectors.some((selector) => selector.matches(pod.metadata?.labels))) return;
      const node = pod.spec?.nodeName ?? '';
      counts.set(node, (counts.get(node) ?? 0) + 1);
    });
    return counts;
  }

  /** Writes the status where it changed; one more try with a fresh object. */
  async #updateStatus(set: T, status: ReplicaStatus): Promise<T> {
    const generation = set.metadata?.generation ?? 0;
    if (set.status?.observedGeneration === generation && isSameStatus(set.status, status)) return set;
    const sets = this.#context.client.resource(this.#kind.type);
    const written = { ...status, observedGeneration: generation };
    try {
      return await sets.updateStatus({ ...set, status: written });
    } catch {
      const { name = '', namespace } = set.metadata ?? {};
      return sets.updateStatus({ ...(await sets.get({ name, namespace })), status: written });
    }
  }

  /** Ready pods become available by time alone: nothing else would look again. */
  #planAvailability(set: T, active: readonly Pod[], nowMs: number): void {
    const wait = set.spec?.minReadySeconds ?? 0;
    if (wait === 0 || (set.status?.readyReplicas ?? 0) === (set.status?.availableReplicas ?? 0)) return;
    const waits = active
      .map((pod) => availableInMs(pod, wait, nowMs))
      .filter((waitMs): waitMs is number => waitMs !== undefined && waitMs > 0);
    this.#queue.addAfter(keyOf(set), waits.length === 0 ? wait * 1_000 : Math.min(...waits));
  }
}
