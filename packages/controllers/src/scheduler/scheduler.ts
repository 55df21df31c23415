import { formatTime, isConflict, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { Namespace, Node, Pod, PodCondition } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { PodFilters, type FilterView, type Misfit } from './filters.ts';
import { fitErrorText, noPreemptionText } from './fit-error.ts';
import { NodeInfo } from './node-info.ts';
import { findPreemption, priorityOf } from './preemption.ts';
import { scoresOf } from './scores.ts';

const schedulerName = 'default-scheduler';
/** Bindings under way at a time. */
const maxBinding = 64;
/** Pods that fit nowhere are looked at again when something changes, and after this long in any case. */
const flushMs = 300_000;
/** Changes come in crowds: pods that wait are looked at again once per this time. */
const gatherMs = 200;

/**
 * Gives pods nodes, one at a time by priority and age: the reference's filters, scores in their direction, pre-emption
 * (kube-scheduler 1.36, without volume binding, dynamic resources and extenders). A pod that was given a node counts as
 * there until the server says otherwise.
 */
export class Scheduler implements Controller {
  readonly #context: ControllerContext;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #namespaces: SharedInformer<Namespace>;
  readonly #recorder: EventRecorder;
  readonly #infos = new Map<string, NodeInfo>();
  /** By uid: the node that a pod is on, or on its way to. */
  readonly #placed = new Map<string, string>();
  readonly #waiting = new Set<string>();
  /** A single key: somebody should be looked at. */
  readonly #wake: WorkQueue;
  readonly #active = new Set<string>();
  readonly #binding = new Set<Promise<void>>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder(schedulerName);
    this.#wake = new WorkQueue({ clock: context.clock });
    this.#pods = context.informers.informer(resources.pods);
    this.#nodes = context.informers.informer(resources.nodes);
    this.#namespaces = context.informers.informer(resources.namespaces);
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podChanged(pod),
      onUpdate: (pod) => this.#podChanged(pod),
      onDelete: (pod) => this.#podGone(pod),
    });
    const nodeChanged = (node: Node): void => this.#nodeChanged(node);
    this.#nodes.addHandlers({
      onAdd: nodeChanged,
      onUpdate: (node, before) => {
        // Heartbeats change nothing that counts.
        if (schedulingFacts(node) !== schedulingFacts(before)) this.#nodeChanged(node);
      },
      onDelete: ({ metadata }) => this.#infos.delete(metadata?.name ?? ''),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods, this.#nodes, this.#namespaces].map((informer) => informer.waitForSync(signal)));
    const stop = (): void => this.#wake.shutDown();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    for (;;) {
      const woken = await this.#wake.get();
      if (woken === undefined) break;
      this.#wake.done(woken);
      if (woken === 'retry') this.#retryAll();
      for (let pod = this.#next(); pod !== undefined && !signal.aborted; pod = this.#next()) {
        this.#active.delete(keyOf(pod));
        await this.#schedule(pod).catch((error: unknown) => this.#failed(pod!, error));
        if (this.#binding.size >= maxBinding) await Promise.race(this.#binding);
      }
    }
    await Promise.all(this.#binding);
  }

  #failed(pod: Pod, error: unknown): void {
    if (this.#context.signal.aborted) return;
    this.#context.log.error('a pod cannot be scheduled', error, { pod: keyOf(pod) });
    this.#waiting.add(keyOf(pod));
    this.#wake.addAfter('retry', 1_000);
  }

  #podChanged(pod: Pod): void {
    const key = keyOf(pod);
    const node = pod.spec?.nodeName ?? '';
    if (isPodEnded(pod)) {
      this.#podGone(pod);
      return;
    }
    if (node !== '') {
      this.#waiting.delete(key);
      this.#active.delete(key);
      this.#place(pod, node);
      return;
    }
    if (this.#placed.has(pod.metadata?.uid ?? '') || pod.metadata?.deletionTimestamp !== undefined) return;
    if ((pod.spec?.schedulerName ?? schedulerName) !== schedulerName) return;
    if ((pod.spec?.schedulingGates ?? []).length > 0) return;
    // What only got its condition from here is not news.
    if (this.#waiting.has(key)) return;
    this.#active.add(key);
    this.#wake.add('pod');
  }

  #podGone(pod: Pod): void {
    const key = keyOf(pod);
    this.#waiting.delete(key);
    this.#active.delete(key);
    const uid = pod.metadata?.uid ?? '';
    const node = this.#placed.get(uid);
    if (node === undefined) return;
    this.#placed.delete(uid);
    this.#infos.get(node)?.remove(uid);
    this.#retryLater();
  }

  #place(pod: Pod, node: string): void {
    const uid = pod.metadata?.uid ?? '';
    const before = this.#placed.get(uid);
    if (before !== undefined && before !== node) this.#infos.get(before)?.remove(uid);
    this.#placed.set(uid, node);
    this.#infos.get(node)?.add(pod);
  }

  #nodeChanged(node: Node): void {
    const name = node.metadata?.name ?? '';
    const before = this.#infos.get(name);
    const info = before === undefined ? new NodeInfo(node) : before.without(new Set(), node);
    this.#infos.set(name, info);
    // Pods may have been seen before their node.
    if (before === undefined)
      for (const pod of this.#pods.list()) if (pod.spec?.nodeName === name && !isPodEnded(pod)) this.#place(pod, name);
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#waiting.size > 0) this.#wake.addAfter('retry', gatherMs);
  }

  #retryAll(): void {
    for (const key of this.#waiting) this.#active.add(key);
    this.#waiting.clear();
  }

  /** The most important one, the oldest among equals. */
  #next(): Pod | undefined {
    let best: Pod | undefined;
    for (const key of this.#active) {
      const pod = this.#pods.get(key);
      if (pod === undefined || (pod.spec?.nodeName ?? '') !== '') {
        this.#active.delete(key);
        continue;
      }
      if (best === undefined || comesBefore(pod, best)) best = pod;
    }
    return best;
  }

  async #schedule(pod: Pod): Promise<void> {
    const view: FilterView = {
      nodes: [...this.#infos.values()],
      namespace: (name) => this.#namespaces.get(name),
    };
    const filters = new PodFilters(pod, view);
    const misfits = new Map<NodeInfo, Misfit>();
    const fitting: NodeInfo[] = [];
    for (const info of view.nodes) {
      const misfit = filters.misfit(info);
      if (misfit === undefined) fitting.push(info);
      else misfits.set(info, misfit);
    }
    const chosen = this.#best(pod, fitting);
    if (chosen === undefined) {
      await this.#refuse(pod, view, misfits);
      return;
    }
    this.#place(pod, chosen.name);
    const binding = this.#bind(pod, chosen.name).finally(() => this.#binding.delete(binding));
    this.#binding.add(binding);
  }

  /** One of the best, by chance. */
  #best(pod: Pod, fitting: readonly NodeInfo[]): NodeInfo | undefined {
    const nominated = fitting.find(({ name }) => name === pod.status?.nominatedNodeName);
    if (fitting.length < 2 || nominated !== undefined) return nominated ?? fitting[0];
    const scores = scoresOf(pod, fitting);
    const highest = Math.max(...scores);
    const best = fitting.filter((_, i) => scores[i]! >= highest - 1e-9);
    return best[Math.floor(this.#context.random() * best.length)];
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata ?? {};
    try {
      await this.#context.client.resource(resources.pods).create(
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
          target: { kind: 'Node', name: node },
        },
        { namespace, name, subresource: 'binding' },
      );
      this.#tell(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node}`);
    } catch (error) {
      this.#placed.delete(uid ?? '');
      this.#infos.get(node)?.remove(uid ?? '');
      // Gone, or on a node already: the informer tells.
      if (isNotFound(error) || isConflict(error)) return;
      this.#tell(pod, 'Warning', 'FailedScheduling', `binding rejected: ${messageOf(error)}`);
      this.#failed(pod, error);
    }
  }

  async #refuse(pod: Pod, view: FilterView, misfits: ReadonlyMap<NodeInfo, Misfit>): Promise<void> {
    this.#waiting.add(keyOf(pod));
    this.#wake.addAfter('retry', flushMs);
    const preemption = misfits.size === 0 ? undefined : findPreemption(pod, view, misfits);
    const all = [...misfits.values()];
    const message = fitErrorText(all, preemption === undefined && all.length > 0 ? noPreemptionText(all) : undefined);
    this.#tell(pod, 'Warning', 'FailedScheduling', message);
    await this.#writeCondition(pod, message, preemption?.node.name);
    for (const victim of preemption?.victims ?? []) await this.#evict(victim, pod, preemption!.node.name);
  }

  async #writeCondition(pod: Pod, message: string, nominated: string | undefined): Promise<void> {
    const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const same = before?.status === 'False' && before.reason === 'Unschedulable' && before.message === message;
    if (same && nominated === undefined) return;
    const now = formatTime(this.#context.clock.now());
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      observedGeneration: pod.metadata?.generation ?? 1,
      lastProbeTime: null,
      lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : now,
      reason: 'Unschedulable',
      message,
    } as unknown as PodCondition;
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
    await this.#patchStatus(pod, {
      conditions: [...others, condition],
      ...(nominated === undefined ? {} : { nominatedNodeName: nominated }),
    });
  }

  async #evict(victim: Pod, by: Pod, node: string): Promise<void> {
    const { name = '', namespace, uid } = victim.metadata ?? {};
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      observedGeneration: victim.metadata?.generation ?? 1,
      lastTransitionTime: formatTime(this.#context.clock.now()),
      reason: 'PreemptionByScheduler',
      message: `${schedulerName}: preempting to accommodate a higher priority pod`,
    } as PodCondition;
    const others = (victim.status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
    await this.#patchStatus(victim, { conditions: [...others, condition] });
    try {
      await this.#context.client
        .resource(resources.pods)
        .delete({ name, namespace }, uid === undefined ? {} : { preconditions: { uid } });
      this.#tell(victim, 'Normal', 'Preempted', `Preempted by pod ${by.metadata?.uid ?? ''} on node ${node}`);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #patchStatus(pod: Pod, status: Pod['status']): Promise<void> {
    const { name = '', namespace, uid } = pod.metadata ?? {};
    try {
      await this.#context.client
        .resource(resources.pods)
        .patch({ name, namespace }, { metadata: { uid }, status }, { subresource: 'status' });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #tell(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.event(pod, resources.pods, { type, reason, message });
  }
}

function comesBefore(a: Pod, b: Pod): boolean {
  const byPriority = priorityOf(b) - priorityOf(a);
  if (byPriority !== 0) return byPriority < 0;
  return (a.metadata?.creationTimestamp ?? '') < (b.metadata?.creationTimestamp ?? '');
}

/** What of a node can change where pods go. */
function schedulingFacts({ metadata, spec, status }: Node): string {
  return JSON.stringify([metadata?.labels, spec?.unschedulable, spec?.taints, status?.allocatable]);
}
