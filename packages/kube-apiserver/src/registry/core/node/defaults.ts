import type { Node, NodeSpec } from '@kubechain/apimachinery/types/core/v1';
import { roundResourceList } from '../resource-list.ts';

/** Defaults of nodes (pkg/apis/core/v1, 1.36). */
export function defaultNode(node: Node): void {
  const { spec, status } = node;
  if (spec !== undefined) alignPodCIDRs(spec);
  if (status === undefined) return;
  roundResourceList(status.capacity);
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
  roundResourceList(status.allocatable);
}

/** podCIDR is the first of podCIDRs; where they differ, the old field has the word. */
function alignPodCIDRs(spec: NodeSpec): void {
  const first = spec.podCIDRs?.[0];
  if (spec.podCIDR && first !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  else if (!spec.podCIDR && first !== undefined) spec.podCIDR = first;
}
