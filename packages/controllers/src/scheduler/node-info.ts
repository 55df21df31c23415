import { Quantity } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { amountOf, demandOf, hostPortsOf, type Demand, type HostPort } from './pod-demand.ts';

/** A pod on a node, with what it takes. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly demand: Demand;
  readonly ports: readonly HostPort[];
}

/** A node and what the pods on it, or on their way to it, take. */
export class NodeInfo {
  readonly node: Node;
  readonly allocatable: Demand;
  readonly #pods = new Map<string, PlacedPod>();
  readonly #used = new Map<string, number>();

  constructor(node: Node) {
    this.node = node;
    const { allocatable, capacity } = node.status ?? {};
    this.allocatable = new Map(
      Object.entries(allocatable ?? capacity ?? {}).map(([name, text]) => [name, amountOf(name, Quantity.parse(text))]),
    );
  }

  get name(): string {
    return this.node.metadata?.name ?? '';
  }

  get pods(): Iterable<PlacedPod> {
    return this.#pods.values();
  }

  get podCount(): number {
    return this.#pods.size;
  }

  used(resource: string): number {
    return this.#used.get(resource) ?? 0;
  }

  add(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    this.remove(uid);
    const placed = { pod, demand: demandOf(pod), ports: hostPortsOf(pod) };
    this.#pods.set(uid, placed);
    for (const [name, amount] of placed.demand) this.#used.set(name, this.used(name) + amount);
  }

  remove(uid: string): void {
    const placed = this.#pods.get(uid);
    if (placed === undefined) return;
    this.#pods.delete(uid);
    for (const [name, amount] of placed.demand) this.#used.set(name, this.used(name) - amount);
  }

  /** The same node with some of its pods, to try things out. */
  without(uids: ReadonlySet<string>, node: Node = this.node): NodeInfo {
    const copy = new NodeInfo(node);
    for (const [uid, { pod }] of this.#pods) if (!uids.has(uid)) copy.add(pod);
    return copy;
  }
}
