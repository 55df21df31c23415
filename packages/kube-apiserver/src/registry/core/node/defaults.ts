import { wasEmptied } from '@kubechain/apimachinery';
import type { Node, NodeSpec } from '@kubechain/apimachinery/types/core/v1';
import { roundResourceList } from '../resource-list.ts';

/** Defaults of nodes (pkg/apis/core/v1, 1.36). */
export function defaultNode(node: Node): void {
  const { spec, status } = node;
  if (spec !== undefined) alignPodCIDRs(spec);
  if (status === undefined) return;
  roundResourceList(status.capacity);
  // Given without entries it is there until it has been stored.
  if (!wasEmptied(status, 'allocatable')) allocateCapacity(node);
  roundResourceList(status.allocatable);
}

/**
 * The form in which a node is read again: storage forgets `allocatable` that was given without entries, and who reads
 * it finds the capacity there, which nobody owns.
 */
export function canonicalizeNode(node: Node): void {
  if (wasEmptied(node.status, 'allocatable')) allocateCapacity(node);
}

function allocateCapacity({ status }: Node): void {
  if (status?.allocatable === undefined && status?.capacity !== undefined) status.allocatable = { ...status.capacity };
}

/** podCIDR is the first of podCIDRs; where they differ, the old field has the word. */
function alignPodCIDRs(spec: NodeSpec): void {
  const first = spec.podCIDRs?.[0];
  if (spec.podCIDR && first !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  else if (!spec.podCIDR && first !== undefined) spec.podCIDR = first;
}
