import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { NodeInfo } from '../node-info.ts';
import { assumedDemandOf, demandOf } from '../pod-demand.ts';
import { maxNodeScore } from './normalize.ts';

/** What is weighed, each as much as the other. */
const weighed = ['cpu', 'memory'] as const;

/** The part of CPU and memory that is left with the pod (plugin NodeResourcesFit, strategy LeastAllocated, 1.36). */
export function leastAllocatedScores(pod: Pod, nodes: readonly NodeInfo[]): readonly number[] {
  const demand = assumedDemandOf(pod);
  return nodes.map((info) => {
    const parts = weighed.flatMap((name) => {
      const all = info.allocatable.get(name) ?? 0;
      if (all === 0) return [];
      const taken = info.assumedUse(name) + (demand.get(name) ?? 0);
      return [taken > all ? 0 : Math.trunc(((all - taken) * maxNodeScore) / all)];
    });
    return parts.length === 0 ? 0 : Math.trunc(parts.reduce((sum, part) => sum + part, 0) / parts.length);
  });
}

/**
 * Whether the pod evens out how far CPU and memory are used (plugin NodeResourcesBalancedAllocation, 1.36): 75 where it
 * changes nothing, up to 100 where it does, down to 50 where it makes them more uneven. Undefined for a pod that asks
 * for neither.
 */
export function balanceScores(pod: Pod, nodes: readonly NodeInfo[]): readonly number[] | undefined {
  const demand = demandOf(pod);
  if (weighed.every((name) => (demand.get(name) ?? 0) === 0)) return undefined;
  const half = maxNodeScore / 2;
  return nodes.map((info) => {
    const [before, after] = [0, 1].map((withPod) =>
      evenness(info, (name) => info.used(name) + withPod * (demand.get(name) ?? 0)),
    );
    return half + Math.trunc((half + after! - before!) / 2);
  });
}

/** From 50, where one is used up and the other not at all, to 100. */
function evenness({ allocatable }: NodeInfo, used: (name: string) => number): number {
  const parts = weighed.flatMap((name) => {
    const all = allocatable.get(name) ?? 0;
    return all === 0 ? [] : [Math.min(1, used(name) / all)];
  });
  const deviation = parts.length === 2 ? Math.abs((parts[0]! - parts[1]!) / 2) : 0;
  return Math.trunc((1 - deviation) * maxNodeScore);
}
