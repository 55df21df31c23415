import { controllerOf, Quantity } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { amountOf, demandOf, hostPortsOf, type Demand, type HostPort } from './pod-demand.ts';

/** A pod on a node, with what it takes. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly demand: Demand;
  readonly ports: readonly HostPort[];
}

/** A node and what the pods on it, or on their way to it, take. Sums are kept, not counted anew. */
export class NodeInfo {
  readonly #pods = new Map<string, PlacedPod>();
  readonly #used = new Map<string, number>();
  /** By uid of the controller: how many of its pods are here. */
  readonly #siblings = new Map<string, number>();
  /** Uids of pods that keep others away. */
  readonly #repelling = new Set<string>();
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

  used(resource: string): number {
    return this.#used.get(resource) ?? 0;
  }

  /** How many pods here have this controller. */
  siblings(controllerUid: string): number {
    return this.#siblings.get(controllerUid) ?? 0;
  }

  /** Takes a pod in, or its newer version. */
  add(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    // Most changes are of the status, which takes nothing.
    if (known !== undefined && known.pod.metadata?.generation === pod.metadata?.generation) {
      this.#pods.set(uid, { ...known, pod });
      return;
    }
    this.remove(uid);
    this.#take({ pod, demand: demandOf(pod), ports: hostPortsOf(pod) });
  }

  remove(uid: string): void {
    const placed = this.#pods.get(uid);
    if (placed === undefined) return;
    this.#pods.delete(uid);
    this.#repelling.delete(uid);
    for (const [name, amount] of placed.demand) this.#used.set(name, this.used(name) - amount);
    const controller = controllerOf(placed.pod.metadata)?.uid;
    if (controller === undefined) return;
    const left = this.siblings(controller) - 1;
    if (left > 0) this.#siblings.set(controller, left);
    else this.#siblings.delete(controller);
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
    for (const [name, amount] of placed.demand) this.#used.set(name, this.used(name) + amount);
    if ((spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0)
      this.#repelling.add(uid);
    const controller = controllerOf(metadata)?.uid;
    if (controller !== undefined) this.#siblings.set(controller, this.siblings(controller) + 1);
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
