import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { isPodEnded } from '../pods/pod-state.ts';
import { NodeInfo } from './node-info.ts';

/**
 * All nodes with the pods on them, or on their way to them, kept up to date by changes: the scheduler's cache. A pod
 * may be placed before its node is known.
 */
export class ClusterState {
  readonly #infos = new Map<string, NodeInfo>();
  /** By uid: the node that a pod is on, or on its way to. */
  readonly #placed = new Map<string, string>();
  /** Pods whose node is not known, by node. */
  readonly #early = new Map<string, Map<string, Pod>>();
  /** By node: pods for which room is being made there. */
  readonly #nominated = new Map<string, Map<string, Pod>>();
  #nodes: readonly NodeInfo[] | undefined;

  /** The same array until a node comes or goes. */
  get nodes(): readonly NodeInfo[] {
    return (this.#nodes ??= [...this.#infos.values()]);
  }

  isPlaced(uid: string): boolean {
    return this.#placed.has(uid);
  }

  get(node: string): NodeInfo | undefined {
    return this.#infos.get(node);
  }

  setNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    const known = this.#infos.get(name);
    if (known !== undefined) {
      known.node = node;
      return;
    }
    const info = new NodeInfo(node);
    this.#infos.set(name, info);
    this.#nodes = undefined;
    for (const pod of this.#early.get(name)?.values() ?? []) info.add(pod);
    this.#early.delete(name);
  }

  /** Its pods are still placed on it, until they go. */
  deleteNode(name: string): void {
    const info = this.#infos.get(name);
    if (info === undefined) return;
    this.#infos.delete(name);
    this.#nodes = undefined;
    for (const { pod } of info.pods) this.#addEarly(name, pod);
  }

  place(pod: Pod, node: string): void {
    if (isPodEnded(pod)) {
      this.remove(pod.metadata?.uid ?? '');
      return;
    }
    const uid = pod.metadata?.uid ?? '';
    const before = this.#placed.get(uid);
    if (before !== undefined && before !== node) this.remove(uid);
    this.#placed.set(uid, node);
    const info = this.#infos.get(node);
    if (info === undefined) this.#addEarly(node, pod);
    else info.add(pod);
  }

  /** Whether it was placed. */
  remove(uid: string): boolean {
    const node = this.#placed.get(uid);
    if (node === undefined) return false;
    this.#placed.delete(uid);
    this.#infos.get(node)?.remove(uid);
    this.#early.get(node)?.delete(uid);
    return true;
  }

  /** Room is made for a pod on a node; undefined: no longer. */
  nominate(pod: Pod, node: string | undefined): void {
    const uid = pod.metadata?.uid ?? '';
    for (const [name, pods] of this.#nominated) {
      pods.delete(uid);
      if (pods.size === 0) this.#nominated.delete(name);
    }
    if (node === undefined) return;
    const pods = this.#nominated.get(node) ?? new Map<string, Pod>();
    this.#nominated.set(node, pods.set(uid, pod));
  }

  /** Pods for which room is being made on a node. */
  nominatedOn(node: string): Iterable<Pod> {
    return this.#nominated.get(node)?.values() ?? [];
  }

  #addEarly(node: string, pod: Pod): void {
    const pods = this.#early.get(node) ?? new Map<string, Pod>();
    this.#early.set(node, pods.set(pod.metadata?.uid ?? '', pod));
  }
}
