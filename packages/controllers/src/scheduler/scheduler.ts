import { isConflict, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { Namespace, Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { claimsOf } from '../volume/claim-facts.ts';
import type { Cause } from './cause.ts';
import { ClusterState } from './cluster-state.ts';
import { PodFilters, type FilterView, type Misfit } from './filters.ts';
import { fitErrorText, noPreemptionText, unfitText } from './fit-error.ts';
import type { NodeInfo } from './node-info.ts';
import { enoughNodes } from './node-sampling.ts';
import { isRefusal, type VolumePlan } from './pod-volumes.ts';
import { PodWrites } from './pod-writes.ts';
import { findPreemption, type Preemption } from './preemption.ts';
import { priorityOf } from './priority.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import { scoresOf } from './scores.ts';
import { VolumeBinding } from './volume-binding.ts';

const schedulerName = 'default-scheduler';
/** Writes under way at a time, besides those that wait for volumes; kube-scheduler has no such limit. */
const maxWrites = 256;

const causes = {
  all: new Set<Cause>(['node', 'resources', 'ports', 'volumes', 'spread', 'affinity']),
  podGone: new Set<Cause>(['resources', 'ports', 'volumes', 'spread', 'affinity']),
  podPlaced: new Set<Cause>(['spread', 'affinity']),
  namespace: new Set<Cause>(['affinity']),
  volumes: new Set<Cause>(['volumes']),
} as const;

/**
 * Gives pods nodes, one at a time: the reference's filters, scores in their direction, pre-emption, binding of volumes
 * (kube-scheduler 1.36, without dynamic resources and extenders). A pod that was given a node counts as there until the
 * server says otherwise.
 */
export class Scheduler implements Controller {
  readonly #context: ControllerContext;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #namespaces: SharedInformer<Namespace>;
  readonly #volumes: VolumeBinding;
  readonly #recorder: EventRecorder;
  readonly #writes: PodWrites;
  readonly #state = new ClusterState();
  readonly #queue: SchedulingQueue;
  readonly #underWay = new Set<Promise<void>>();
  #wake = Promise.withResolvers<void>();
  /** Where among the nodes the next search begins, so that all get their turn. */
  #start = 0;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder(schedulerName);
    this.#writes = new PodWrites(context, schedulerName);
    this.#queue = new SchedulingQueue(context.clock, () => this.#wake.resolve());
    this.#pods = context.informers.informer(resources.pods);
    this.#nodes = context.informers.informer(resources.nodes);
    this.#namespaces = context.informers.informer(resources.namespaces);
    this.#volumes = new VolumeBinding(context, () => this.#queue.happened(causes.volumes));
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podChanged(pod, undefined),
      onUpdate: (pod, before) => this.#podChanged(pod, before),
      onDelete: (pod) => this.#podGone(pod),
    });
    this.#nodes.addHandlers({
      onAdd: (node) => this.#nodeChanged(node),
      onUpdate: (node, before) => {
        // Heartbeats change nothing that counts.
        if (schedulingFacts(node) !== schedulingFacts(before)) this.#nodeChanged(node);
      },
      onDelete: ({ metadata }) => this.#state.deleteNode(metadata?.name ?? ''),
    });
    this.#namespaces.addHandlers({ onUpdate: () => this.#queue.happened(causes.namespace) });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#volumes.waitForSync(signal),
      ...[this.#pods, this.#nodes, this.#namespaces].map((informer) => informer.waitForSync(signal)),
    ]);
    const stop = (): void => this.#wake.resolve();
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      for (let pod = this.#queue.next(); pod !== undefined && !signal.aborted; pod = this.#queue.next()) {
        this.#scheduleLatest(pod);
        // Informers and answers must have their turn, too.
        if (this.#underWay.size >= maxWrites) await Promise.race(this.#underWay);
      }
      if (!signal.aborted) await this.#wake.promise;
    }
    this.#queue.stop();
    await Promise.all(this.#underWay);
  }

  #podChanged(pod: Pod, before: Pod | undefined): void {
    const key = keyOf(pod);
    const node = pod.spec?.nodeName ?? '';
    if (isPodEnded(pod)) return this.#podGone(pod);
    if (node !== '') {
      const isNews = before === undefined || (before.spec?.nodeName ?? '') === '' || !haveSameLabels(pod, before);
      this.#queue.delete(key);
      this.#state.nominate(pod, undefined);
      this.#state.place(pod, node);
      if (isNews) this.#queue.happened(causes.podPlaced);
      return;
    }
    if (this.#state.isPlaced(pod.metadata?.uid ?? '')) return;
    const isOurs =
      pod.metadata?.deletionTimestamp === undefined &&
      (pod.spec?.schedulerName ?? schedulerName) === schedulerName &&
      (pod.spec?.schedulingGates ?? []).length === 0;
    if (!isOurs) this.#queue.delete(key);
    else if (before !== undefined && this.#isSame(pod, before)) this.#queue.refresh(pod);
    else this.#queue.add(pod);
  }

  /** Whether nothing of a pod has changed that counts here. */
  #isSame(pod: Pod, before: Pod): boolean {
    return pod.metadata?.generation === before.metadata?.generation && haveSameLabels(pod, before);
  }

  #podGone(pod: Pod): void {
    this.#queue.delete(keyOf(pod));
    this.#state.nominate(pod, undefined);
    if (this.#state.remove(pod.metadata?.uid ?? '')) this.#queue.happened(causes.podGone);
  }

  #nodeChanged(node: Node): void {
    this.#state.setNode(node);
    this.#queue.happened(causes.all);
  }

  #scheduleLatest({ metadata }: Pod): void {
    const pod = this.#pods.get(keyOf({ metadata }));
    if (pod === undefined || pod.metadata?.uid !== metadata?.uid || (pod.spec?.nodeName ?? '') !== '') return;
    try {
      this.#schedule(pod);
    } catch (error) {
      this.#failed(pod, error);
    }
  }

  #schedule(pod: Pod): void {
    const volumes = claimsOf(pod).length === 0 ? undefined : this.#volumes.volumesOf(pod);
    const { nodes } = this.#state;
    if (volumes?.problem !== undefined && nodes.length > 0) {
      this.#refuse(pod, { message: unfitText(nodes.length, volumes.problem), causes: causes.volumes });
      return;
    }
    const view: FilterView = {
      nodes,
      namespace: (name) => this.#namespaces.get(name),
      ...(volumes === undefined ? {} : { volumes }),
    };
    const filters = new PodFilters(pod, view);
    const { fitting, misfits } = this.#search(pod, filters);
    const chosen = this.#best(pod, fitting);
    if (chosen !== undefined) {
      const plan = volumes?.planFor(chosen.node);
      this.#state.place(pod, chosen.name);
      this.#state.nominate(pod, undefined);
      this.#track(this.#bind(pod, chosen.name, plan === undefined || isRefusal(plan) ? undefined : plan));
      return;
    }
    const preemption = findPreemption(pod, misfits, { filters, view, random: this.#context.random });
    const all = [...misfits.values()];
    const message = fitErrorText(all, preemption === undefined && all.length > 0 ? noPreemptionText(all) : undefined);
    const why = all.length === 0 ? causes.all : new Set(all.map(({ cause }) => cause));
    this.#refuse(pod, { message, causes: why, preemption });
  }

  /** Looks at nodes in turn until enough fit. */
  #search(
    pod: Pod,
    filters: PodFilters,
  ): { readonly fitting: readonly NodeInfo[]; readonly misfits: ReadonlyMap<NodeInfo, Misfit> } {
    const { nodes } = this.#state;
    const enough = enoughNodes(nodes.length);
    const misfits = new Map<NodeInfo, Misfit>();
    const fitting: NodeInfo[] = [];
    const nominated = this.#state.get(pod.status?.nominatedNodeName ?? '');
    if (nominated !== undefined && this.#misfit(pod, nominated, filters) === undefined)
      return { fitting: [nominated], misfits };
    let seen = 0;
    for (; seen < nodes.length && fitting.length < enough; seen++) {
      const info = nodes[(this.#start + seen) % nodes.length]!;
      const misfit = this.#misfit(pod, info, filters);
      if (misfit === undefined) fitting.push(info);
      else misfits.set(info, misfit);
    }
    this.#start = nodes.length === 0 ? 0 : (this.#start + seen) % nodes.length;
    return { fitting, misfits };
  }

  /** Also with the pods for which room is being made there, if they are as important. */
  #misfit(pod: Pod, info: NodeInfo, filters: PodFilters): Misfit | undefined {
    let withNominated: NodeInfo | undefined;
    for (const other of this.#state.nominatedOn(info.name)) {
      if (other.metadata?.uid === pod.metadata?.uid || priorityOf(other) < priorityOf(pod)) continue;
      withNominated ??= info.without(new Set());
      withNominated.add(other);
    }
    return (withNominated === undefined ? undefined : filters.misfit(withNominated)) ?? filters.misfit(info);
  }

  /** One of the best, by chance. */
  #best(pod: Pod, fitting: readonly NodeInfo[]): NodeInfo | undefined {
    if (fitting.length < 2) return fitting[0];
    const scores = scoresOf(pod, fitting);
    const highest = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY);
    const best = fitting.filter((_, i) => scores[i]! >= highest - 1e-9);
    return best[Math.floor(this.#context.random() * best.length)];
  }

  async #bind(pod: Pod, node: string, plan: VolumePlan | undefined): Promise<void> {
    if (plan !== undefined && plan.bindings.length + plan.provisions.length > 0) {
      this.#volumes.keep(plan);
      // It may take minutes: nobody else waits for it.
      void this.#bindVolumes(pod, node, plan);
    } else await this.#bindPod(pod, node);
  }

  async #bindVolumes(pod: Pod, node: string, plan: VolumePlan): Promise<void> {
    try {
      await this.#volumes.bind(plan, node);
    } catch (error) {
      this.#state.remove(pod.metadata?.uid ?? '');
      if (!this.#context.signal.aborted)
        this.#retry(pod, `running PreBind plugin "VolumeBinding": ${messageOf(error)}`, error);
      return;
    } finally {
      this.#volumes.drop(plan);
    }
    if (!this.#context.signal.aborted) await this.#bindPod(pod, node);
  }

  async #bindPod(pod: Pod, node: string): Promise<void> {
    try {
      await this.#writes.bind(pod, node);
      this.#tell(pod, 'Normal', 'Scheduled', `Successfully assigned ${keyOf(pod)} to ${node}`);
    } catch (error) {
      this.#state.remove(pod.metadata?.uid ?? '');
      // Gone, or on a node already: the informer tells.
      if (isNotFound(error) || isConflict(error)) return;
      this.#retry(pod, `binding rejected: ${messageOf(error)}`, error);
    }
  }

  #retry(pod: Pod, message: string, error: unknown): void {
    this.#tell(pod, 'Warning', 'FailedScheduling', message);
    this.#failed(pod, error);
  }

  #failed(pod: Pod, error: unknown): void {
    if (this.#context.signal.aborted) return;
    this.#context.log.error('a pod cannot be scheduled', error, { pod: keyOf(pod) });
    this.#queue.refused(pod, new Set());
  }

  #refuse(
    pod: Pod,
    why: {
      readonly message: string;
      readonly causes: ReadonlySet<Cause>;
      readonly preemption?: Preemption | undefined;
    },
  ): void {
    const { message, preemption } = why;
    this.#queue.refused(pod, why.causes);
    this.#state.nominate(pod, preemption?.node.name);
    this.#tell(pod, 'Warning', 'FailedScheduling', message);
    this.#track(this.#writeRefusal(pod, message, preemption));
  }

  async #writeRefusal(pod: Pod, message: string, preemption: Preemption | undefined): Promise<void> {
    const node = preemption?.node.name;
    await this.#writes.setUnschedulable(pod, { message, nominated: node });
    for (const victim of preemption?.victims ?? [])
      if (await this.#writes.evict(victim))
        this.#tell(victim, 'Normal', 'Preempted', `Preempted by pod ${pod.metadata?.uid ?? ''} on node ${node ?? ''}`);
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => {
        if (!this.#context.signal.aborted) this.#context.log.error('cannot write about a pod', error);
      })
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  #tell(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.event(pod, resources.pods, { type, reason, message });
  }
}

function haveSameLabels(a: Pod, b: Pod): boolean {
  const [left, right] = [a.metadata?.labels ?? {}, b.metadata?.labels ?? {}];
  if (left === right) return true;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}

/** What of a node can change where pods go. */
function schedulingFacts({ metadata, spec, status }: Node): string {
  return JSON.stringify([metadata?.labels, spec?.unschedulable, spec?.taints, status?.allocatable]);
}
