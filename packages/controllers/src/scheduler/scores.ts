import { controllerOf } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { NodeInfo } from './node-info.ts';
import { matchesTerm, tolerates } from '../placement/node-selection.ts';
import { demandOf, type Demand } from './pod-demand.ts';

/** As the reference's plugins weigh. */
const weights = { affinity: 2, taints: 3, spread: 2, balance: 1 } as const;

/**
 * How well a node does for a pod among those that can take it, higher is better: what it prefers, few taints that it
 * would rather not have, few pods of the same owner, much room. Simpler than the reference's plugins; their directions.
 */
export function scoresOf(pod: Pod, nodes: readonly NodeInfo[]): readonly number[] {
  const owner = controllerOf(pod.metadata)?.uid;
  const demand = demandOf(pod);
  const siblings = nodes.map((info) => (owner === undefined ? 0 : info.siblings(owner)));
  const crowd = Math.max(1, ...siblings);
  return nodes.map(
    (info, i) =>
      weights.affinity * preferred(pod, info) +
      weights.taints * (100 - Math.min(100, 10 * disliked(pod, info))) +
      weights.spread * 100 * (1 - siblings[i]! / crowd) +
      weights.balance * room(demand, info),
  );
}

function preferred({ spec }: Pod, { node }: NodeInfo): number {
  const terms = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return 0;
  const met = terms.filter(({ preference }) => matchesTerm(preference, node));
  return (100 * met.reduce((sum, { weight }) => sum + weight, 0)) / total;
}

function disliked({ spec }: Pod, { node }: NodeInfo): number {
  return (node.spec?.taints ?? []).filter(
    (taint) => taint.effect === 'PreferNoSchedule' && !tolerates(spec?.tolerations ?? [], taint),
  ).length;
}

/** The part of CPU and memory that would be left, from 0 to 100; what asks for nothing counts a little all the same. */
function room(demand: Demand, info: NodeInfo): number {
  const least = { cpu: 100, memory: 200 * 1024 * 1024 } as const;
  const parts = (['cpu', 'memory'] as const).map((name) => {
    const all = info.allocatable.get(name) ?? 0;
    if (all === 0) return 0;
    const wanted = demand.get(name) ?? least[name];
    return Math.max(0, (all - info.used(name) - wanted) / all);
  });
  return (100 * parts.reduce((sum, part) => sum + part, 0)) / parts.length;
}
