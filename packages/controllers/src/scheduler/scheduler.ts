import { hostname } from 'node:os';
import { isConflict, isNotFound, loopTurns, messageOf } from '@kubechain/apimachinery';
import type { Namespace, Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { EventSeriesRecorder, type Occurrence } from '../events/event-series-recorder.ts';
import { followSelectors } from '../selectors/follow-selectors.ts';
import type { SelectorIndex } from '../selectors/selector-index.ts';
import { haveSameLabels } from '../controller/same-labels.ts';
import { selectorOf } from '../controller/selector-of.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { namedNodesOf } from '../placement/node-selection.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { claimsOf } from '../volume/claim-facts.ts';
import type { Cause } from './cause.ts';
import { ClusterState } from './cluster-state.ts';
import { PodFilters, type FilterView, type Misfit } from './filters.ts';
import { DeviceBinding } from './device-binding.ts';
import {
  devicesTexts,
  fitErrorText,
  noPreemptionText,
  unfitDevicesText,
  unfitText,
  type PostFilterTexts,
} from './fit-error.ts';
import type { NodeInfo } from './node-info.ts';
import { enoughNodes } from './node-sampling.ts';
import { DevicesError, devicesElsewhere, isDeviceRefusal, type DevicePlan, type PodDevices } from './pod-devices.ts';
import { isRefusal, type VolumePlan } from './pod-volumes.ts';
import { PodWrites } from './pod-writes.ts';
import { findPreemption, whyNotPreempting, type Preemption } from './preemption.ts';
import { priorityOf } from './priority.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import { DefaultSelectors } from './scoring/default-selector.ts';
import { scoresOf } from './scoring/scores.ts';
import { VolumeBinding } from './volume-binding.ts';

const schedulerName = 'default-scheduler';
/** Writes under way at a time, besides those that wait for volumes; kube-scheduler has no such limit. */
const maxWrites = 256;

const causes = {
  all: new Set<Cause>(['node', 'resources', 'ports', 'volumes', 'spread', 'affinity', 'devices']),
  podGone: new Set<Cause>(['resources', 'ports', 'volumes', 'spread', 'affinity']),
  podPlaced: new Set<Cause>(['spread', 'affinity']),
  namespace: new Set<Cause>(['affinity']),
  volumes: new Set<Cause>(['volumes']),
  devices: new Set<Cause>(['devices']),
} as const;

/** What must be done before a pod can be bound. */
interface Plans {
  readonly volumes: VolumePlan;
  readonly devices: DevicePlan;
}

const noVolumes: VolumePlan = { bindings: [], provisions: [] };
const noDevices: DevicePlan = { claims: [] };

/** What nodes are that the pod's affinity does not name. */
const notNamed: Misfit = {
  reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
  resolvable: false,
  cause: 'node',
};

/**
 * Gives pods nodes, one at a time: the reference's filters and scores, pre-emption, binding of volumes
 * and devices (kube-scheduler 1.36, without extenders). A pod that was given a node counts as there until the
 * server says otherwise.
 */
export class Scheduler implements Controller {
  readonly #context: ControllerContext;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #namespaces: SharedInformer<Namespace>;
  readonly #budgets: SharedInformer<PodDisruptionBudget>;
  readonly #budgetSelectors: SelectorIndex;
  readonly #selectors: DefaultSelectors;
  readonly #volumes: VolumeBinding;
  readonly #devices: DeviceBinding;
  readonly #recorder: EventSeriesRecorder;
  readonly #writes: PodWrites;
  readonly #state = new ClusterState();
  readonly #queue: SchedulingQueue;
  readonly #underWay = new Set<Promise<void>>();
  #wake = Promise.withResolvers<void>();
  /** Where among the nodes the next search begins, so that all get their turn. */
  #start = 0;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = new EventSeriesRecorder({
      client: context.client,
      clock: context.clock,
      random: context.random,
      component: schedulerName,
      host: hostname(),
      signal: context.signal,
      onError: (error) => context.log.error('cannot write an event', error),
    });
    this.#writes = new PodWrites(context, schedulerName);
    this.#queue = new SchedulingQueue(context.clock, () => this.#wake.resolve());
    this.#pods = context.informers.informer(resources.pods);
    this.#nodes = context.informers.informer(resources.nodes);
    this.#namespaces = context.informers.informer(resources.namespaces);
    this.#budgets = context.informers.informer(resources.poddisruptionbudgets);
    this.#budgetSelectors = followSelectors(this.#budgets, selectorOf);
    this.#selectors = new DefaultSelectors(context);
    this.#volumes = new VolumeBinding(context, () => this.#queue.happened(causes.volumes));
    this.#devices = new DeviceBinding(context, () => this.#queue.happened(causes.devices));
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
      this.#devices.waitForSync(signal),
      this.#selectors.waitForSync(signal),
      ...[this.#pods, this.#nodes, this.#namespaces, this.#budgets].map((informer) => informer.waitForSync(signal)),
    ]);
    const stop = (): void => this.#wake.resolve();
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      for (let pod = this.#queue.next(); pod !== undefined && !signal.aborted; pod = this.#queue.next()) {
        await this.#scheduleLatest(pod);
        // Informers and answers must have their turn, too.
        const turn = loopTurns.next();
        if (turn !== undefined) await turn;
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
    return (
      pod.metadata?.generation === before.metadata?.generation &&
      haveSameLabels(pod, before) &&
      // Which claims for devices were made for it is told in its status.
      pod.status?.resourceClaimStatuses?.length === before.status?.resourceClaimStatuses?.length
    );
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

  /** The newest version of a pod that has no node; undefined: it has one, or is gone or going. */
  #latest({ metadata }: Pod): Pod | undefined {
    const pod = this.#pods.get(keyOf({ metadata }));
    if (pod === undefined || pod.metadata?.uid !== metadata?.uid || (pod.spec?.nodeName ?? '') !== '') return undefined;
    return pod.metadata?.deletionTimestamp === undefined ? pod : undefined;
  }

  /** Gone, placed or changed while a node or room was looked for. */
  #hasChanged(pod: Pod): boolean {
    return this.#latest(pod) === undefined || this.#queue.has(keyOf(pod));
  }

  async #scheduleLatest(queued: Pod): Promise<void> {
    const pod = this.#latest(queued);
    if (pod === undefined) return;
    try {
      await this.#schedule(pod);
    } catch (error) {
      if (error instanceof DevicesError)
        this.#retry(pod, `running "DynamicResources" filter plugin: ${error.message}`, error);
      else this.#failed(pod, error);
    }
  }

  async #schedule(pod: Pod): Promise<void> {
    const volumes = claimsOf(pod).length === 0 ? undefined : this.#volumes.volumesOf(pod);
    const { nodes } = this.#state;
    const named = namedNodesOf(pod);
    const [problem, cause] =
      named?.size === 0 ? ['pod affinity terms conflict', causes.all] : [volumes?.problem, causes.volumes];
    if (problem !== undefined && nodes.length > 0) {
      this.#refuse(pod, { message: unfitText(nodes.length, problem), causes: cause });
      return;
    }
    const devices = this.#devices.devicesOf(pod);
    if (devices?.isAwaited === true) {
      this.#queue.refused(pod, causes.devices);
      return;
    }
    if (devices?.problem !== undefined && nodes.length > 0) {
      this.#refuse(pod, { message: unfitDevicesText(nodes.length, devices.problem), causes: causes.devices });
      return;
    }
    const view: FilterView = {
      nodes,
      namespace: (name) => this.#namespaces.get(name),
      ...(volumes === undefined ? {} : { volumes }),
      ...(devices === undefined ? {} : { devices }),
    };
    const filters = await PodFilters.of(pod, view);
    const { fitting, misfits } = this.#search(pod, filters, { known: nodes, named });
    const chosen = await this.#best(pod, fitting, devices);
    if (this.#hasChanged(pod)) return;
    if (chosen !== undefined) {
      // Gone, or full, or without the volume while the best was looked for.
      if (this.#state.get(chosen.name) !== chosen || this.#misfit(pod, chosen, filters) !== undefined) {
        this.#queue.add(pod);
        return;
      }
      const volumePlan = volumes?.planFor(chosen.node);
      const devicePlan = devices?.planFor(chosen.node);
      this.#state.place(pod, chosen.name);
      this.#state.nominate(pod, undefined);
      this.#track(
        this.#bind(pod, chosen.name, {
          volumes: volumePlan === undefined || isRefusal(volumePlan) ? noVolumes : volumePlan,
          devices: devicePlan === undefined || isDeviceRefusal(devicePlan) ? noDevices : devicePlan,
        }),
      );
      return;
    }
    const all = [...misfits.values()];
    const why = all.length === 0 ? causes.all : new Set(all.map(({ cause }) => cause));
    const deviceText = devices === undefined ? devicesTexts.none : this.#freeDevices(devices, all);
    const ineligible = whyNotPreempting(pod, misfits);
    if (ineligible !== undefined) {
      const message = fitErrorText(all, { devices: deviceText, preemption: ineligible });
      this.#refuse(pod, { message, causes: why });
      return;
    }
    const { preemption: found, refusals } = await findPreemption(pod, misfits, {
      filters,
      view,
      budgets: { selectors: this.#budgetSelectors, get: (key) => this.#budgets.get(key) },
      misfit: (info, each) => this.#misfit(pod, info, each),
      random: this.#context.random,
    });
    if (this.#hasChanged(pod)) return;
    // The node may have gone as well.
    const preemption = found !== undefined && this.#state.get(found.node.name) !== undefined ? found : undefined;
    const tried =
      preemption === undefined ? { devices: deviceText, preemption: noPreemptionText(refusals) } : undefined;
    const nominated = preemption?.node.name ?? '';
    this.#refuse(pod, { message: fitErrorText(all, tried), causes: why, preemption, nominated });
  }

  /** Has a claim give its devices back that no node can use for the pod. */
  #freeDevices(devices: PodDevices, misfits: readonly Misfit[]): PostFilterTexts['devices'] {
    const isElsewhere = misfits.some(({ reasons }) => reasons.includes(devicesElsewhere));
    const [claim] = isElsewhere ? devices.claimsToFree() : [];
    if (claim === undefined) return devicesTexts.lacking;
    this.#track(this.#devices.free(claim));
    return devicesTexts.freed;
  }

  /** Looks at nodes in turn until enough fit, of those that filters know and that are still there. */
  #search(
    pod: Pod,
    filters: PodFilters,
    { known, named }: { readonly known: readonly NodeInfo[]; readonly named: ReadonlySet<string> | undefined },
  ): { readonly fitting: readonly NodeInfo[]; readonly misfits: ReadonlyMap<NodeInfo, Misfit> } {
    const all = known.filter((info) => this.#state.get(info.name) === info);
    const nodes = all.filter(({ name }) => named?.has(name) ?? true);
    const enough = enoughNodes(nodes.length);
    const misfits = new Map<NodeInfo, Misfit>();
    const fitting: NodeInfo[] = [];
    const nominated = this.#state.get(pod.status?.nominatedNodeName ?? '');
    if (nominated !== undefined && all.includes(nominated) && this.#misfit(pod, nominated, filters) === undefined)
      return { fitting: [nominated], misfits };
    let seen = 0;
    for (; seen < nodes.length && fitting.length < enough; seen++) {
      const info = nodes[(this.#start + seen) % nodes.length]!;
      const misfit = this.#misfit(pod, info, filters);
      if (misfit === undefined) fitting.push(info);
      else misfits.set(info, misfit);
    }
    this.#start = all.length === 0 ? 0 : (this.#start + seen) % all.length;
    if (nodes.length < all.length && fitting.length === 0)
      for (const info of all) if (named?.has(info.name) === false) misfits.set(info, notNamed);
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
  async #best(pod: Pod, fitting: readonly NodeInfo[], devices: PodDevices | undefined): Promise<NodeInfo | undefined> {
    if (fitting.length < 2) return fitting[0];
    const scores = await scoresOf(pod, fitting, {
      nodes: this.#state.nodes,
      namespace: (name) => this.#namespaces.get(name),
      defaultSelector: () => this.#selectors.of(pod),
      devices,
    });
    const highest = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY);
    const best = fitting.filter((_, i) => scores[i] === highest);
    return best[Math.floor(this.#context.random() * best.length)];
  }

  async #bind(pod: Pod, node: string, plans: Plans): Promise<void> {
    const { devices, volumes } = plans;
    if (volumes.bindings.length + volumes.provisions.length + devices.claims.length > 0) {
      this.#volumes.keep(volumes);
      this.#devices.keep(devices);
      // It may take minutes: nobody else waits for it.
      void this.#bindClaims(pod, node, plans);
    } else await this.#bindPod(pod, node);
  }

  async #bindClaims(pod: Pod, node: string, { devices, volumes }: Plans): Promise<void> {
    let plugin = 'VolumeBinding';
    try {
      if (volumes.bindings.length + volumes.provisions.length > 0) await this.#volumes.bind(volumes, node);
      plugin = 'DynamicResources';
      await this.#devices.bind(devices, pod, () =>
        this.#tell(pod, {
          type: 'Normal',
          reason: 'BindingConditionsPending',
          action: 'Scheduling',
          message: `waiting for binding conditions for device on node ${node}`,
        }),
      );
    } catch (error) {
      this.#state.remove(pod.metadata?.uid ?? '');
      if (!this.#context.signal.aborted)
        this.#retry(pod, `running PreBind plugin "${plugin}": ${messageOf(error)}`, error);
      return;
    } finally {
      this.#volumes.drop(volumes);
      this.#devices.drop(devices);
    }
    if (!this.#context.signal.aborted) await this.#bindPod(pod, node);
  }

  async #bindPod(pod: Pod, node: string): Promise<void> {
    try {
      await this.#writes.bind(pod, node);
      this.#tell(pod, {
        type: 'Normal',
        reason: 'Scheduled',
        action: 'Binding',
        message: `Successfully assigned ${keyOf(pod)} to ${node}`,
      });
    } catch (error) {
      this.#state.remove(pod.metadata?.uid ?? '');
      // Gone, or on a node already: the informer tells.
      if (isNotFound(error) || isConflict(error)) return;
      this.#retry(pod, `binding rejected: ${messageOf(error)}`, error);
    }
  }

  #retry(pod: Pod, message: string, error: unknown): void {
    this.#tell(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message });
    this.#track(this.#writes.setUnschedulable(pod, { message, nominated: '', reason: 'SchedulerError' }));
    this.#failed(pod, error);
  }

  #failed(pod: Pod, error: unknown): void {
    // Another of its name may wait in the queue when it has gone.
    if (this.#context.signal.aborted || this.#latest(pod) === undefined) return;
    this.#context.log.error('a pod cannot be scheduled', error, { pod: keyOf(pod) });
    this.#queue.refused(pod, new Set());
  }

  #refuse(
    pod: Pod,
    why: {
      readonly message: string;
      readonly causes: ReadonlySet<Cause>;
      readonly preemption?: Preemption | undefined;
      /** Where room is made for it, '' for nowhere; undefined: where it was made before. */
      readonly nominated?: string;
    },
  ): void {
    const { message, nominated, preemption } = why;
    this.#queue.refused(pod, why.causes);
    if (nominated !== undefined) this.#state.nominate(pod, nominated === '' ? undefined : nominated);
    this.#tell(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message });
    this.#track(this.#writeRefusal(pod, { message, nominated, preemption }));
  }

  async #writeRefusal(
    pod: Pod,
    {
      message,
      nominated,
      preemption,
    }: {
      readonly message: string;
      readonly nominated: string | undefined;
      readonly preemption: Preemption | undefined;
    },
  ): Promise<void> {
    const node = preemption?.node.name;
    // Room that was made there for less important pods goes to this one.
    const outdone = [...this.#state.nominatedOn(node ?? '')].filter((other) => priorityOf(other) < priorityOf(pod));
    for (const other of outdone) this.#state.nominate(other, undefined);
    await this.#writes.setUnschedulable(pod, { message, nominated });
    await Promise.all(outdone.map((other) => this.#writes.clearNomination(other)));
    for (const victim of preemption?.victims ?? [])
      if (await this.#writes.evict(victim))
        this.#tell(victim, {
          type: 'Normal',
          reason: 'Preempted',
          action: 'Preempting',
          message: `Preempted by pod ${pod.metadata?.uid ?? ''} on node ${node ?? ''}`,
        });
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => {
        if (!this.#context.signal.aborted) this.#context.log.error('cannot write about a pod', error);
      })
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  #tell(pod: Pod, what: Occurrence): void {
    this.#recorder.event(pod, resources.pods, what);
  }
}

/** What of a node can change where pods go. */
function schedulingFacts({ metadata, spec, status }: Node): string {
  const { allocatable, declaredFeatures, images } = status ?? {};
  return JSON.stringify([metadata?.labels, spec?.unschedulable, spec?.taints, allocatable, images, declaredFeatures]);
}
