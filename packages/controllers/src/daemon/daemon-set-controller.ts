import { controllerOf, isNotFound, type LabelSelector } from '@kubechain/apimachinery';
import type { ControllerRevision, DaemonSet, DaemonSetStatus } from '@kubechain/apimachinery/types/apps/v1';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { isDeepStrictEqual } from 'node:util';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { ControllerRefManager } from '../controller/controller-ref-manager.ts';
import { selectorOf } from '../controller/selector-of.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { UIDTrackingExpectations } from '../controller/expectations.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import {
  byRevision,
  ControllerRevisions,
  isSameTemplate,
  nextRevision,
  revisionLabel,
  surplusRevisions,
} from '../history/controller-revisions.ts';
import { templateHash } from '../history/template-hash.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addControllerIndex, ownedOrOrphans } from '../controller/owned-objects.ts';
import { PodControl } from '../pods/pod-control.ts';
import { availableInMs, isPodEnded, isPodReady } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import { Adopters } from '../selectors/adopters.ts';
import { FailedPodBackOff } from './failed-pod-back-off.ts';
import { countedStatus, planNode, planUpdate, type DaemonNode, type DaemonPlan } from './node-plan.ts';
import { podTemplate, targetNode, wishFor } from './should-run.ts';

/** Pods made, and pods deleted, in one go at most. */
const burstReplicas = 250;

/** Keeps one pod on each node that is to have one (pkg/controller/daemon, 1.36). */
export class DaemonSetController implements Controller {
  readonly #context: ControllerContext;
  readonly #sets: SharedInformer<DaemonSet>;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #revisions: SharedInformer<ControllerRevision>;
  readonly #history: ControllerRevisions;
  readonly #recorder: EventRecorder;
  readonly #podControl: PodControl;
  readonly #expectations: UIDTrackingExpectations;
  readonly #failed: FailedPodBackOff;
  readonly #queue: WorkQueue;
  readonly #adopters: Adopters<DaemonSet>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('daemonset-controller');
    this.#podControl = new PodControl(context.client, this.#recorder);
    this.#history = new ControllerRevisions(context.client);
    this.#expectations = new UIDTrackingExpectations(context.clock);
    this.#failed = new FailedPodBackOff(context.clock);
    this.#queue = namespacedQueue(context, 'daemonset');
    this.#sets = context.informers.informer(resources.daemonsets);
    this.#pods = context.informers.informer(resources.pods);
    this.#nodes = context.informers.informer(resources.nodes);
    this.#revisions = context.informers.informer(resources.controllerrevisions);
    addControllerIndex(this.#pods);
    addControllerIndex(this.#revisions);
    this.#adopters = new Adopters(context, { owners: this.#sets, selectorOf, queue: (key) => this.#queue.add(key) });
    this.#sets.addHandlers({
      onAdd: (set) => this.#queue.add(keyOf(set)),
      onUpdate: (set, before) => {
        if (set.metadata?.uid !== before.metadata?.uid) this.#expectations.delete(keyOf(set));
        this.#queue.add(keyOf(set));
      },
      onDelete: (set) => {
        this.#expectations.delete(keyOf(set));
        this.#queue.add(keyOf(set));
      },
    });
    this.#nodes.addHandlers({
      onAdd: () => this.#queueAll(),
      onUpdate: (node, before) => {
        const same =
          isDeepStrictEqual(node.metadata?.labels, before.metadata?.labels) &&
          isDeepStrictEqual(node.spec?.taints, before.spec?.taints);
        if (!same) this.#queueAll();
      },
      onDelete: () => this.#queueAll(),
    });
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podAdded(pod),
      onUpdate: (pod, before) => this.#podUpdated(pod, before),
      onDelete: (pod) => this.#podDeleted(pod),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const informers = [this.#sets, this.#pods, this.#nodes, this.#revisions];
    await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers: this.#context.flags.concurrency['concurrent-daemonset-syncs'],
        signal,
        sync: (key) => this.#sync(key),
        onError: (error, set) => this.#context.log.error('syncing daemon set failed', error, { set }),
      }),
      this.#adopters.run(signal),
    ]);
  }

  #queueAll(): void {
    for (const set of this.#sets.list()) this.#queue.add(keyOf(set));
  }

  #podAdded(pod: Pod): void {
    if (pod.metadata?.deletionTimestamp !== undefined) return this.#podDeleted(pod);
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) {
      this.#expectations.creationObserved(keyOf(owner));
      this.#queue.add(keyOf(owner));
    } else this.#adopters.added(pod);
  }

  #podUpdated(pod: Pod, before: Pod): void {
    if (pod.metadata?.resourceVersion === before.metadata?.resourceVersion) return;
    if (pod.metadata?.deletionTimestamp !== undefined) return this.#podDeleted(pod);
    const ownerBefore = this.#ownerOf(before);
    if (ownerBefore !== undefined) this.#queue.add(keyOf(ownerBefore));
    const owner = this.#ownerOf(pod);
    if (owner === undefined) {
      this.#adopters.updated(pod, before);
      return;
    }
    this.#queue.add(keyOf(owner));
    const wait = owner.spec?.minReadySeconds ?? 0;
    if (!isPodReady(before) && isPodReady(pod) && wait > 0) this.#queue.addAfter(keyOf(owner), (wait + 1) * 1_000);
  }

  #podDeleted(pod: Pod): void {
    const owner = this.#ownerOf(pod);
    if (owner === undefined) return;
    this.#expectations.deletionOfObserved(keyOf(owner), keyOf(pod));
    this.#queue.add(keyOf(owner));
  }

  #ownerOf({ metadata }: Pod): DaemonSet | undefined {
    const reference = controllerOf(metadata);
    if (reference?.kind !== 'DaemonSet') return undefined;
    const set = this.#sets.get(`${metadata?.namespace ?? ''}/${reference.name}`);
    return set?.metadata?.uid === reference.uid ? set : undefined;
  }

  async #sync(key: string): Promise<void> {
    const set = this.#sets.get(key);
    if (set === undefined) return this.#expectations.delete(key);
    const selector = selectorOf(set);
    if (selector === undefined || set.metadata?.deletionTimestamp !== undefined) return;
    if (selector.empty) {
      this.#tell(
        set,
        'Warning',
        'SelectingAll',
        'This daemon set is selecting all pods. A non-empty selector is required.',
      );
      return;
    }
    const known = await this.#claims<ControllerRevision>(set, selector, resources.controllerrevisions).claim(
      ownedOrOrphans(this.#revisions, set).filter(({ metadata }) => selector.matches(metadata?.labels)),
    );
    const { collisionCount, revision } = await this.#revisionOf(set, known);
    const hash = revision.metadata?.labels?.[revisionLabel] ?? '';
    const upToDate = this.#expectations.satisfied(key);
    const pods = await this.#claims<Pod>(set, selector, resources.pods).claim(ownedOrOrphans(this.#pods, set));
    const nodes = this.#nodesWith(set, pods);
    let failure: unknown;
    if (upToDate)
      failure = await this.#manage(set, { hash, nodes, pods, known }).then(
        () => undefined,
        (error: unknown) => error,
      );
    await this.#updateStatus(set, { collisionCount, hash, nodes, observed: upToDate });
    if (failure !== undefined) throw failure as Error;
  }

  async #manage(
    set: DaemonSet,
    {
      hash,
      known,
      nodes,
      pods,
    }: {
      readonly hash: string;
      readonly known: readonly ControllerRevision[];
      readonly nodes: readonly DaemonNode[];
      readonly pods: readonly Pod[];
    },
  ): Promise<void> {
    const nowMs = this.#context.clock.now();
    const key = keyOf(set);
    const plans = nodes.map((node) =>
      planNode(set, node, { hash, nowMs, ended: (pod) => this.#isToGo(set, node.name, pod) }),
    );
    const lost = pods.filter(
      (pod) => (pod.spec?.nodeName ?? '') === '' && this.#nodes.get(targetNode(pod) ?? '') === undefined,
    );
    const plan = {
      create: plans.flatMap(({ create }) => create),
      delete: [...plans.flatMap((one) => one.delete), ...lost],
    };
    await this.#carryOut(set, plan, hash);
    if (this.#expectations.satisfied(key) && set.spec?.updateStrategy?.type === 'RollingUpdate')
      await this.#carryOut(set, planUpdate(set, nodes, { hash, nowMs }), hash);
    const used = new Set([hash, ...pods.map(({ metadata }) => metadata?.labels?.[revisionLabel])]);
    const isUsed = ({ metadata }: ControllerRevision): boolean => used.has(metadata?.labels?.[revisionLabel]);
    for (const revision of surplusRevisions(known, isUsed, set.spec?.revisionHistoryLimit ?? 10))
      await this.#history.delete(revision);
  }

  #nodesWith(set: DaemonSet, pods: readonly Pod[]): readonly DaemonNode[] {
    const staying = pods.filter((pod) => !isPodEnded(pod) || pod.metadata?.deletionTimestamp === undefined);
    const byNode = Map.groupBy(staying, targetNode);
    return this.#nodes.list().map((node) => {
      const name = node.metadata?.name ?? '';
      return { name, pods: byNode.get(name) ?? [], ...wishFor(set, node) };
    });
  }

  /** Ended pods make place for new ones; those that failed after a while. */
  #isToGo(set: DaemonSet, node: string, { metadata, status }: Pod): boolean {
    const what = `daemon pod ${metadata?.namespace ?? ''}/${metadata?.name ?? ''} on node ${node}`;
    if (status?.phase === 'Succeeded') {
      this.#tell(set, 'Normal', 'SucceededDaemonPod', `Found succeeded ${what}, will try to delete it`);
      return true;
    }
    const waitMs = this.#failed.waitMs(`${set.metadata?.uid ?? ''}/${set.status?.observedGeneration ?? 0}/${node}`);
    if (waitMs > 0) {
      this.#queue.addAfter(keyOf(set), waitMs);
      return false;
    }
    this.#tell(set, 'Warning', 'FailedDaemonPod', `Found failed ${what}, will try to kill it`);
    return true;
  }

  async #carryOut(set: DaemonSet, plan: DaemonPlan, hash: string): Promise<void> {
    const key = keyOf(set);
    const owner = { object: set, type: resources.daemonsets };
    const names = plan.create.slice(0, burstReplicas);
    const doomed = plan.delete.slice(0, burstReplicas);
    if (names.length + doomed.length === 0) return;
    this.#expectations.expectDeletionsOf(key, doomed.map(keyOf));
    this.#expectations.raise(key, { add: names.length });
    const { error, successes } = await slowStart(names.length, async (i) => {
      try {
        await this.#podControl.create(owner, podTemplate(set, names[i]!, hash), {
          ownerReference: controllerRef(set, resources.daemonsets),
        });
      } catch (reason) {
        if (!hasCause(reason, NAMESPACE_TERMINATING)) throw reason;
      }
    });
    for (let skipped = names.length - successes; skipped > 0; skipped--) this.#expectations.creationObserved(key);
    const outcomes = await Promise.allSettled(
      doomed.map(async (pod) => {
        try {
          await this.#podControl.delete(owner, pod);
        } catch (reason) {
          this.#expectations.deletionOfObserved(key, keyOf(pod));
          if (!isNotFound(reason)) throw reason;
        }
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (error !== undefined) throw error as Error;
    if (failed !== undefined) throw failed.reason as Error;
  }

  /** The revision of the template now, made or brought to the front. */
  async #revisionOf(
    set: DaemonSet,
    known: readonly ControllerRevision[],
  ): Promise<{ readonly revision: ControllerRevision; readonly collisionCount: number }> {
    const collisionCount = set.status?.collisionCount ?? 0;
    const template = set.spec?.template ?? {};
    const sorted = known.toSorted(byRevision);
    const same = sorted.findLast((revision) => isSameTemplate(revision, template));
    if (same === undefined)
      return this.#history.create(
        {
          object: set,
          type: resources.daemonsets,
          template,
          label: revisionLabel,
          hash: (collisions) => templateHash(template, collisions),
        },
        nextRevision(sorted),
        set.status?.collisionCount,
      );
    const revision = same === sorted.at(-1) ? same : await this.#history.renumber(same, nextRevision(sorted));
    return { revision, collisionCount };
  }

  async #updateStatus(
    set: DaemonSet,
    {
      collisionCount,
      hash,
      nodes,
      observed,
    }: {
      readonly collisionCount: number;
      readonly hash: string;
      readonly nodes: readonly DaemonNode[];
      readonly observed: boolean;
    },
  ): Promise<void> {
    const before: Partial<DaemonSetStatus> = set.status ?? {};
    const { conditions, observedGeneration = 0 } = before;
    const nowMs = this.#context.clock.now();
    const counts = countedStatus(set, nodes, { hash, nowMs });
    const generation = set.metadata?.generation ?? 0;
    const { minReadySeconds = 0 } = set.spec ?? {};
    // Of several times that a set is to be looked at the earliest holds: each look says when the next one is due.
    const waits = nodes
      .flatMap(({ pods }) => pods)
      .flatMap((pod) => availableInMs(pod, minReadySeconds, nowMs) ?? [])
      .filter((waitMs) => waitMs > 0);
    if (waits.length > 0)
      this.#queue.addAfter(
        keyOf(set),
        waits.reduce((least, waitMs) => Math.min(least, waitMs)),
      );
    const status = {
      ...counts,
      observedGeneration: observed ? generation : observedGeneration,
      ...(collisionCount === 0 ? {} : { collisionCount }),
      ...(conditions === undefined ? {} : { conditions }),
    };
    const same = Object.entries(counts).every(([name, count]) => (before[name as keyof typeof before] ?? 0) === count);
    if (same && observedGeneration >= generation && (before.collisionCount ?? 0) === collisionCount) return;
    const sets = this.#context.client.resource(resources.daemonsets);
    try {
      await sets.updateStatus({ ...set, status });
    } catch {
      const { name = '', namespace } = set.metadata ?? {};
      await sets.updateStatus({ ...(await sets.get({ name, namespace })), status });
    }
  }

  #claims<T extends Pod | ControllerRevision>(
    set: DaemonSet,
    selector: LabelSelector,
    type: ResourceType<T>,
  ): ControllerRefManager<T> {
    const { client } = this.#context;
    return new ControllerRefManager<T>({
      owned: client.resource(type),
      owner: set,
      owners: client.resource(resources.daemonsets),
      selector,
    });
  }

  #tell(set: DaemonSet, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.event(set, resources.daemonsets, { type, reason, message });
  }
}
