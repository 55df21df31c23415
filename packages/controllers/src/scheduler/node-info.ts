import { Quantity } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { LabelGroups } from './label-groups.ts';
import { amountOf, assumedDemandOf, demandOf, hostPortsOf, type Demand, type HostPort } from './pod-demand.ts';

/** A pod on a node, with what it takes. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly demand: Demand;
  /** With assumed requests where there are none. */
  readonly assumed: Demand;
  readonly ports: readonly HostPort[];
}

/** A node and what the pods on it, or on their way to it, take. Sums are kept, not counted anew. */
export class NodeInfo {
  readonly #pods = new Map<string, PlacedPod>();
  readonly #used = new Map<string, number>();
  readonly #assumed = new Map<string, number>();
  readonly #groups = new LabelGroups();
  /** Uids of pods that keep others away. */
  readonly #repelling = new Set<string>();
  /** Uids of pods that want to be with, or without, others. */
  readonly #choosy = new Set<string>();
  #node: Node;
  #allocatable: Demand;

  constructor(node: Node) {
    this.#node = node;
    this.#allocatable = allocatableOf(node);
  }

  get node(): Node {
    return this.#node;
  }

  /** The node has changed; its pods stay. */
  set node(node: Node) {
    this.#node = node;
    this.#allocatable = allocatableOf(node);
  }

  get allocatable(): Demand {
    return this.#allocatable;
  }

  get name(): string {
    return this.#node.metadata?.name ?? '';
  }

  get pods(): Iterable<PlacedPod> {
    return this.#pods.values();
  }

  get podCount(): number {
    return this.#pods.size;
  }

  /** Those with required anti-affinity. */
  get repellingPods(): readonly Pod[] {
    return Array.from(this.#repelling, (uid) => this.#pods.get(uid)!.pod);
  }

  get hasRepellingPods(): boolean {
    return this.#repelling.size > 0;
  }

  /** Those with affinity or anti-affinity of any kind. */
  get choosyPods(): readonly Pod[] {
    return Array.from(this.#choosy, (uid) => this.#pods.get(uid)!.pod);
  }

  get hasChoosyPods(): boolean {
    return this.#choosy.size > 0;
  }

  /** Pods that are not being deleted, counted by namespace and labels. */
  get groups(): LabelGroups {
    return this.#groups;
  }

  used(resource: string): number {
    return this.#used.get(resource) ?? 0;
  }

  /** With assumed requests for containers that have none. */
  assumedUse(resource: string): number {
    return this.#assumed.get(resource) ?? 0;
  }

  /** Takes a pod in, or its newer version. */
  add(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    // Most changes are of the status, which takes nothing.
    if (known !== undefined && known.pod.metadata?.generation === pod.metadata?.generation) {
      this.#groups.remove(known.pod);
      this.#groups.add(pod);
      this.#pods.set(uid, { ...known, pod });
      return;
    }
    this.remove(uid);
    this.#take({ pod, demand: demandOf(pod), assumed: assumedDemandOf(pod), ports: hostPortsOf(pod) });
  }

  remove(uid: string): void {
    const placed = this.#pods.get(uid);
    if (placed === undefined) return;
    this.#pods.delete(uid);
    this.#repelling.delete(uid);
    this.#choosy.delete(uid);
    this.#groups.remove(placed.pod);
    for (const [name, amount] of placed.demand) this.#used.set(name, this.used(name) - amount);
    for (const [name, amount] of placed.assumed) this.#assumed.set(name, this.assumedUse(name) - amount);
  }

  /** The same node with some of its pods, to try things out. */
  without(uids: ReadonlySet<string>): NodeInfo {
    const copy = new NodeInfo(this.#node);
    for (const [uid, placed] of this.#pods) if (!uids.has(uid)) copy.#take(placed);
    return copy;
  }

  #take(placed: PlacedPod): void {
    const { metadata, spec } = placed.pod;
    const uid = metadata?.uid ?? '';
    this.#pods.set(uid, placed);
    this.#groups.add(placed.pod);
    for (const [name, amount] of placed.demand) this.#used.set(name, this.used(name) + amount);
    for (const [name, amount] of placed.assumed) this.#assumed.set(name, this.assumedUse(name) + amount);
    const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
    if ((podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0) this.#repelling.add(uid);
    if (podAffinity !== undefined || podAntiAffinity !== undefined) this.#choosy.add(uid);
  }
}

function allocatableOf({ status }: Node): Demand {
  return new Map(
    Object.entries(status?.allocatable ?? status?.capacity ?? {}).map(([name, text]) => [
      name,
      amountOf(name, Quantity.parse(text)),
    ]),
  );
}
